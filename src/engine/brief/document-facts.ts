import { type Disk, DiskError } from '../../disk/disk.ts';
import { type RecoveryFields, scanRecovery } from '../../projections/brief/recovery-fields.ts';
import { sectionKey } from '../../projections/brief-file/own-document.ts';

export type { RecoveryFields } from '../../projections/brief/recovery-fields.ts';

/**
 * What the document on disk says of its age, for `pawl brief --check` as for hooks and the status line: two readers would
 * come to two answers. A parser is loaded only for what the scan leaves, because it costs more than a hook may take.
 */
export async function readRecovery(
  disk: Disk,
  path: string,
): Promise<RecoveryFields | 'no-document' | 'unreadable-document'> {
  const text = textAt(disk, path);
  if (text === 'no-document' || text === 'unreadable-document') return text;
  const scanned = scanRecovery(text.text, sectionKey);
  if (scanned !== undefined) return scanned;
  const { parseRecovery } = await import('./parse-recovery.ts');
  return parseRecovery(text.text);
}

function textAt(disk: Disk, path: string): { readonly text: string } | 'no-document' | 'unreadable-document' {
  try {
    const bytes = disk.read(path, documentBytesMax);
    return bytes === undefined ? 'no-document' : { text: new TextDecoder().decode(bytes) };
  } catch (error) {
    if (error instanceof DiskError) return 'unreadable-document';
    throw error;
  }
}

const documentBytesMax = 1024 * 1024;
