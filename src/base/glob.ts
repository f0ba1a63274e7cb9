/**
 * A compiled glob: one state per entry, matched by walking all live states at once, because a regular
 * expression would backtrack: `*a*a*a*b` then takes time exponential in its stars, on a name that the user
 * may not have chosen.
 */
type State =
  | { readonly kind: 'character'; readonly is: string }
  /** `[a-c3]`, `[!a]` */
  | {
      readonly kind: 'class';
      readonly ranges: readonly (readonly [string, string])[];
      readonly isNot: boolean;
    }
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
  return matcherOf(parseGlob(glob), onVisit);
}

/** The same for names of units and phases, which hold no brackets: `[34]`, `[a-c]` and `[!x]` match one character. */
export function nameMatcher(glob: string, onVisit?: () => void): (text: string) => boolean {
  const states = glob
    .split(/(\[!?[^\]]+\])/)
    .flatMap((part, at) => (at % 2 === 1 ? [parseClass(part)] : parseGlob(part)));
  return matcherOf(states, onVisit);
}

function matcherOf(states: readonly State[], onVisit?: () => void): (text: string) => boolean {
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

function parseClass(part: string): State {
  const isNot = part.startsWith('[!');
  const ranges = [...part.slice(isNot ? 2 : 1, -1).matchAll(/(.)-(.)|(.)/gsu)].map(
    ([, from, to, one = '']) => [from ?? one, to ?? one] as const,
  );
  return { kind: 'class', ranges, isNot };
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
    case 'class': {
      const isListed = state.ranges.some(([from, to]) => from <= character && character <= to);
      return !isSlash && isListed !== state.isNot ? at + 1 : undefined;
    }
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
