/** A part of a long list, with how long it is: an agent has to pay for every line that it is handed. */
export interface Cut<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export function cut<T>(items: readonly T[], offset: number, limit: number): Cut<T> {
  return { items: items.slice(offset, offset + limit), total: items.length };
}

/** The beginning of a list that is seldom long. */
export function few<T>(items: readonly T[]): readonly T[] {
  return items.slice(0, fewMax);
}

const fewMax = 50;

/** As many as fit into one message: clients end a connection over which a larger one comes. */
export function fitting<T>(items: readonly T[], charactersMax = messageCharactersMax): Cut<T> {
  let left = charactersMax;
  const fits = items.findIndex((item) => {
    left -= JSON.stringify(item).length;
    return left < 0;
  });
  return cut(items, 0, fits < 0 ? items.length : fits);
}

/** The client library takes 10 MiB, and a text that is quoted twice grows. */
const messageCharactersMax = 2 * 1024 * 1024;
