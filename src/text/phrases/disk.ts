import { choice } from '../style/words.ts';

/** What an error of the disk means. */
export function diskWords(code: string): string {
  return diskTitles.get(code) ?? 'an operation did not succeed';
}

/** What to do about it. */
export function diskStep(code: string): string {
  return diskSteps.get(code) ?? 'look after the disk';
}

const diskTitles = new Map([
  ['ENOSPC', 'there is no space left'],
  ['EDQUOT', 'the quota is used up'],
  ['ESTALE', 'the network file system no longer knows the file'],
  ['ENOLCK', 'the file system has no free lock'],
  ['EISDIR', 'a folder stands there'],
  ['ENOTDIR', 'a file stands where a folder belongs'],
  ['EIO', 'the device cannot read or write'],
  ['EROFS', 'it is mounted for reading only'],
  ['EACCES', 'permission was denied'],
  ['EPERM', 'permission was denied'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
]);

const diskSteps = new Map([
  ['ENOSPC', 'free some space'],
  ['EDQUOT', 'free some space'],
  ['ESTALE', 'mount the network file system again'],
  ['ENOLCK', 'look after the lock service of the network file system'],
  ['EIO', 'save the workspace elsewhere and look after the device'],
  ['EROFS', 'make it writable'],
  ['EACCES', `make it ${choice(['readable', 'writable'])} for you`],
  ['EPERM', `make it ${choice(['readable', 'writable'])} for you`],
  ['EMFILE', 'raise the limit of open files (ulimit -n)'],
  ['ENFILE', 'raise the limit of open files (ulimit -n)'],
]);
