import { describe, expect, it } from 'vitest';
import { mediaTypeOf } from './attached-files.ts';

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

describe('what kind of file it is', () => {
  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n....'],
    ['image/jpeg', '\xff\xd8\xff\xe0'],
    ['image/gif', 'GIF89a'],
    ['image/gif', 'GIF87a'],
    ['image/webp', 'RIFF\x00\x00\x00\x00WEBPVP8 '],
    ['application/pdf', '%PDF-1.7'],
  ])('%s is told by its first bytes, whatever its name', (type, start) => {
    for (const path of ['x', 'x.txt', 'x.md', 'a.b/x.json'])
      expect(mediaTypeOf(path, bytes(start))).toBe(type);
  });

  it.each([
    ['notes.md', 'text/markdown'],
    ['Notes.MD', 'text/markdown'],
    ['data.json', 'application/json'],
    ['data.csv', 'text/csv'],
    ['page.html', 'text/html'],
    ['sound.mp3', 'audio/mpeg'],
    ['notes.txt', 'text/plain'],
    ['notes', 'text/plain'],
    ['folder.json/notes', 'text/plain'],
    ['.json', 'application/json'],
  ])('%s is told by its name', (path, type) => {
    expect(mediaTypeOf(path, bytes('hello'))).toBe(type);
  });

  it('of nothing at all is text, and that of a picture is not told by less than its beginning', () => {
    expect(mediaTypeOf('x', bytes('\x89PN'))).toBe('application/octet-stream');
    expect(mediaTypeOf('x', new Uint8Array())).toBe('text/plain');
    expect(mediaTypeOf('x', bytes('WEBP'))).toBe('text/plain');
  });

  it('is no text where the bytes are none: as text it would be sent as rubbish', () => {
    const binary = new Uint8Array([0x4f, 0x67, 0x67, 0x53, 0x00, 0x02, 0xff, 0xfe]);
    expect(mediaTypeOf('sound.ogg', binary)).not.toMatch(/^text\//);
    expect(mediaTypeOf('data.bin', binary)).not.toMatch(/^text\//);
  });
});
