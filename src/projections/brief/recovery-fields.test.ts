import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../base/json.ts';
import { scanRecovery } from './recovery-fields.ts';
import { readSection } from './yaml/section.ts';

/** What a parser finds; undefined where it finds no section. */
function parsed(text: string) {
  const section = readSection(text, 'resumption');
  if (!section.ok || section.value === undefined) return undefined;
  const { recovery_state: state } = section.value;
  const { updated_at, current_phase: phase, workflow_status } = isJsonObject(state) ? state : {};
  const isPhase = typeof phase === 'number' || typeof phase === 'string';
  return { updatedAt: updated_at, phase: isPhase ? phase : null, status: workflow_status };
}

const document = `# Kept by the orchestrator
workflow: { id: a } # not ours
notes: |
  resumption:
    recovery_state:
      updated_at: 1999-01-01T00:00:00Z

resumption:   # ours
  # where it stands
  recovery_state:
    last_checkpoint: CP-006
    current_phase: 3 # of five
    current_phase_name: "Headers: all"
    workflow_status: ACTIVE
    current_activity: >
      updated_at: never
    updated_at: "2026-02-20T10:00:00Z"
  files_to_read: []
tail: 1
`;

describe('a scan for the fields that an age is judged by', () => {
  it('finds them in a document as people and tools write it', () => {
    expect(scanRecovery(document, 'resumption')).toEqual({
      updatedAt: '2026-02-20T10:00:00Z',
      phase: 3,
      status: 'ACTIVE',
    });
    expect(scanRecovery(document.replaceAll('\n', '\r\n'), 'resumption')).toEqual(parsed(document));
  });

  it.each([
    ['a flow map', 'resumption: { recovery_state: { updated_at: 2026-02-20T10:00:00Z } }\n'],
    ['a flow map below', 'resumption:\n  recovery_state: { current_phase: 1 }\n'],
    ['a value on the next line', 'resumption:\n  recovery_state:\n    updated_at:\n      "2026-02-20"\n'],
    ['a value over two lines', 'resumption:\n  recovery_state:\n    updated_at: "2026-\n      02-20"\n'],
    ['an anchor', 'resumption:\n  recovery_state:\n    updated_at: &a 2026-02-20\n'],
    ['an escape', 'resumption:\n  recovery_state:\n    updated_at: "2026\\u002d02-20"\n'],
    ['a key that stands twice', 'resumption:\n  recovery_state:\n    updated_at: 1\n    updated_at: 2\n'],
    ['a section that stands twice', `${document}resumption: {}\n`],
    ['two documents', `${document}---\nresumption: {}\n`],
    ['no section', 'a: 1\n'],
    ['a list', 'resumption:\n  - recovery_state:\n'],
  ])('leaves %s to a parser', (_, text) => {
    expect(scanRecovery(text, 'resumption')).toBeUndefined();
  });

  it('never finds anything else than a parser', () => {
    const value = fc.constantFrom(
      ...[
        'null',
        '~',
        '',
        '3',
        '03',
        '-1',
        '1.5',
        'true',
        'yes',
        'Phase 3',
        'phase: 3',
        'a#b',
        'a # b',
        '# c',
      ],
      ...[
        '"x"',
        "'x'",
        '"x" # c',
        '"a\\tb"',
        '2026-02-20',
        '2026-02-20T10:00:00.000Z',
        '2026-02-20 10:00',
        '.inf',
      ],
      ...[
        '[1]',
        '{ a: 1 }',
        '|',
        '>-',
        '*a',
        '&a 1',
        '!!str 1',
        '0x1f',
        '1e3',
        'x: y',
        '"',
        "it's",
        '- a',
        '? a',
      ],
    );
    const indent = fc.constantFrom('', '  ', '    ', '      ', '\t');
    const key = fc.constantFrom(
      ...[
        'resumption',
        'recovery_state',
        'updated_at',
        'current_phase',
        'workflow_status',
        '"updated_at"',
        'other',
      ],
    );
    const line = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.tuple(indent, key, value).map(([space, name, said]) => `${space}${name}: ${said}`),
      },
      { weight: 1, arbitrary: fc.constantFrom('', '# c', '    # c', '---', '      more', '  - a') },
    );
    const text = fc.array(line, { maxLength: 6 }).map((lines) => {
      return ['resumption:', '  recovery_state:', '    updated_at: 2026-02-20', ...lines, ''].join('\n');
    });
    fc.assert(
      fc.property(text, (written) => {
        const found = scanRecovery(written, 'resumption');
        const whole = parsed(written);
        // A fault elsewhere in the file does not hide when the document was written.
        if (found !== undefined && whole !== undefined) expect(found).toEqual(whole);
      }),
      { numRuns: 3_000 },
    );
  });
});
