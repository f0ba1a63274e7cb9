/** `*` and `?` stay within a name, `**` crosses folders. Everything else stands for itself. */
export function globPattern(glob: string): RegExp {
  const body = glob.replaceAll(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\/]/g, (part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return `\\${part}`;
  });
  return new RegExp(`^${body}$`, 'u');
}
