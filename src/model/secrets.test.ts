import { expect, it } from 'vitest';
import { isPublicAddress, isSecretName, withoutSecrets } from './secrets.ts';

it.each([
  'OPENAI_API_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'accessKey',
  'private-key',
  'GITHUB_TOKEN',
  'DB_PASSWORD',
  'credential',
  'Authorization',
])('%s holds a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

it.each(['PATH', 'monkey', 'keyboard', 'PASSAGE', 'author'])('%s holds none', (name) => {
  expect(isSecretName(name)).toBe(false);
});

it.each([
  ['https://example.com/a', true],
  ['http://127.0.0.1:80', true],
  ['https://ann@example.com', false],
  ['https://:pw@example.com', false],
  ['ftp://example.com', false],
  ['example.com', false],
  ['$URL', false],
])('%s lets nobody in by itself: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

it('a manifest is shown without what is called a secret, but with the names of variables', () => {
  const shown = withoutSecrets({
    params: { access_key: 'abc', api_key: '$KEY', token: '$KEY?', max_tokens: 5, tokens: ['a'] },
    phases: { tokens: { run: 'x' } },
  });
  expect(shown).toEqual({
    params: {
      access_key: '(removed)',
      api_key: '$KEY',
      token: '$KEY?',
      max_tokens: 5,
      tokens: ['(removed)'],
    },
    phases: { tokens: { run: 'x' } },
  });
});
