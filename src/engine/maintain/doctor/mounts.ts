/** Where a file system is found, and of which type it is. */
export interface Mount {
  readonly mount: string;
  readonly type: string;
}

/** The mount that a path lies on, from the table that Linux keeps: `proc(5)`, mounts. The path has no links in it. */
export function mountOf(table: string, realPath: string): Mount | undefined {
  let found: Mount | undefined;
  for (const line of table.split('\n')) {
    const [, written = '', type = ''] = line.split(' ');
    const mount = unescaped(written);
    const isAbove = mount === '/' || realPath === mount || realPath.startsWith(`${mount}/`);
    // The nearest one; of two at one place the later, which hides the earlier.
    if (type !== '' && isAbove && mount.length >= (found?.mount.length ?? 0)) found = { mount, type };
  }
  return found;
}

/** Others may write to it, and what it says of locks and syncs is only what it was told. */
export function isShared({ type }: Mount): boolean {
  return sharedTypes.has(type) || (type.startsWith('fuse.') && !localFuse.has(type));
}

/** A space in a name is written `\040`. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

const sharedTypes: ReadonlySet<string> = new Set([
  '9p',
  'afs',
  'beegfs',
  'ceph',
  'cifs',
  'coda',
  'drvfs',
  'fuse',
  'gfs2',
  'glusterfs',
  'gpfs',
  'lustre',
  'ncpfs',
  'nfs',
  'nfs4',
  'ocfs2',
  'prl_fs',
  'smb3',
  'smbfs',
  'vboxsf',
  'virtiofs',
  'vmhgfs',
]);

/** Disks of this machine that are only driven by a program. */
const localFuse: ReadonlySet<string> = new Set(['fuse.ext2', 'fuse.ext4', 'fuse.fuse-overlayfs']);
