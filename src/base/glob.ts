/**
 * A compiled glob: one state per entry, matched by walking all live states at once. A regular expression would
 * backtrack: `*a*a*a*b` then takes time exponential in its stars, on a name that somebody else may have chosen.
 */
type State =
  | { readonly kind: 'character'; readonly is: string }
  /** `?` */
  | { readonly kind: 'one' }
  /** `*` */
  | { readonly kind: 'name' }
  /** `**` */
  | { readonly kind: 'any' }
  /** `**` + `/`, between two folders; the state after it is its `folder`. */
  | { readonly kind: 'folders' }
  /** Inside the name of a folder that `**` + `/` matches. */
  | { readonly kind: 'folder' };

/**
 * `*` and `?` stay within a name, `**` crosses folders. Everything else means itself. The time is at most the length of
 * the glob times the length of the text; `onVisit` is called for each state visited, so that tests can count.
 */
export function globMatcher(glob: string, onVisit?: () => void): (text: string) => boolean {
  const states = parseGlob(glob);
  return (text) => {
    let live = reach(states, [0]);
    for (const character of text) {
      const next: number[] = [];
      for (const at of live) {
        onVisit?.();
        const to = step(states[at], at, character);
        if (to !== undefined) next.push(to);
      }
      if (next.length === 0) return false;
      live = reach(states, next);
    }
    return live.has(states.length);
  };
}

function parseGlob(glob: string): State[] {
  return glob.split(/(\*\*\/|\*\*|\*|\?)/).flatMap((part): State[] => {
    if (part === '**/') return [{ kind: 'folders' }, { kind: 'folder' }];
    if (part === '**') return [{ kind: 'any' }];
    if (part === '*') return [{ kind: 'name' }];
    if (part === '?') return [{ kind: 'one' }];
    return Array.from(part, (is) => ({ kind: 'character', is }));
  });
}

/** These states and those reached from them without a character, each once. */
function reach(states: readonly State[], from: readonly number[]): Set<number> {
  const live = new Set<number>();
  for (const start of from) {
    for (let at = start; !live.has(at); ) {
      live.add(at);
      const kind = states[at]?.kind;
      if (kind === 'name' || kind === 'any') at += 1;
      else if (kind === 'folders') at += 2;
    }
  }
  return live;
}

/** The state after one character; undefined where that character does not match. */
function step(state: State | undefined, at: number, character: string): number | undefined {
  const isSlash = character === '/';
  switch (state?.kind) {
    case 'character':
      return character === state.is ? at + 1 : undefined;
    case 'one':
      return isSlash ? undefined : at + 1;
    case 'name':
      return isSlash ? undefined : at;
    case 'any':
      return at;
    case 'folders':
      return isSlash ? undefined : at + 1;
    case 'folder':
      return isSlash ? at - 1 : at;
    case undefined:
      return undefined;
  }
}
