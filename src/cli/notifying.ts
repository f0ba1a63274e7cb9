import type { Notifying } from '../engine/run/run-request.ts';
import type { Face } from './face.ts';

type Missed = Parameters<NonNullable<Notifying['missed']>>[0];

/** Tells people in the words of the command. */
export interface CommandNotifying extends Notifying {
  /** Says who could not be told. Waits until the screen is free: a drawn run would be drawn over it. */
  tellMissed(): Promise<void>;
}

/** Whoever asked for JSON or for silence is a program, or wants no noise: the terminal is left alone. */
export function openNotifying(face: Face): CommandNotifying {
  const missed: Missed[] = [];
  const isForPerson = face.canDraw && !face.json && !face.quiet;
  return {
    words: async (end) => (await import('../text/notify.ts')).notificationWords(end),
    terminal: isForPerson ? (text) => void face.io.stderr.write(text) : undefined,
    missed: (notification) => void missed.push(notification),
    tellMissed: async () => {
      if (missed.length === 0) return;
      const { missedWords } = await import('../text/notify.ts');
      for (const notification of missed) face.err(missedWords(notification, face.errStyle));
    },
  };
}
