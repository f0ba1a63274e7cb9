import { isJsonObject } from '../../base/json.ts';

/* What fields of stored data are checked with. By hand, because every event that is read or written goes through it. */

export type Check = (value: unknown) => boolean;

/** Every field has a check: one that is added to the model does not compile until it has one here. */
export type Checks<T> = { readonly [K in Exclude<keyof T, 'type'>]-?: Check };

export const isText: Check = (value) => typeof value === 'string';
/** JSON has no NaN and no Infinity: they would be written as null. */
export const isNumber: Check = (value) => Number.isFinite(value);
export const isAnything: Check = (value) => value !== undefined;
export const isFlag: Check = (value) => typeof value === 'boolean';
export const isTrue: Check = (value) => value === true;
export const isHash: Check = (value) => typeof value === 'string' && value.startsWith('sha256:');

export interface Field {
  readonly name: string;
  readonly check: Check;
}

export function fieldsOf(checks: Readonly<Record<string, Check>>): Field[] {
  return Object.entries(checks).map(([name, check]) => ({ name, check }));
}

export function haveKinds(fields: readonly Field[], value: Readonly<Record<string, unknown>>): boolean {
  for (const { name, check } of fields) if (!check(value[name])) return false;
  return true;
}

export function isOptional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every((item) => check(item));
}

export function isMapOf(check: Check): Check {
  return (value) => {
    if (!isJsonObject(value)) return false;
    for (const key in value) if (!check(value[key])) return false;
    return true;
  };
}

export function isRecord<T>(checks: Checks<T>): Check {
  const fields = fieldsOf(checks);
  return (value) => isJsonObject(value) && haveKinds(fields, value);
}

/** A member that is added to the union and not here does not compile. */
export function isOneOf<T extends string>(members: Readonly<Record<T, true>>): Check {
  const allowed = new Set(Object.keys(members));
  return (value) => typeof value === 'string' && allowed.has(value);
}
