import { type Disk, DiskError } from '../../disk/disk.ts';
import { type RecoveryFields, scanRecovery } from '../../projections/brief/recovery-fields.ts';
import { sectionKey } from '../../projections/brief/yaml/render.ts';

export type { RecoveryFields } from '../../projections/brief/recovery-fields.ts';

/**
 * The age of the document on disk. One reader for `pawl brief --check`, hooks and the status line, so that they agree. The
 * YAML parser is loaded only if the scan fails, because it costs more time than a hook has.
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
