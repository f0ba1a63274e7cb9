import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type Misfit, misfit, quoted } from './misfit.ts';
import { shorten } from './text.ts';

export function judgeType(schema: JsonObject, value: JsonValue, path: string): Misfit | undefined {
  const type = schema.type;
  if (type === undefined) return undefined;
  const types = Array.isArray(type) ? type : [type];
  return types.some((one) => isOfType(value, one)) ? undefined : misfit(path, types.join(' or '), value);
}

export function judgeValue(schema: JsonObject, value: JsonValue, path: string): Misfit | undefined {
  const choices = schema.enum;
  if (Array.isArray(choices) && !choices.some((choice) => isEqual(choice, value))) {
    return misfit(path, `one of ${shorten(JSON.stringify(choices))}`, value);
  }
  const constant = schema.const;
  if (constant !== undefined && !isEqual(constant, value)) return misfit(path, quoted(constant), value);
  return undefined;
}

export function judgeNumber(schema: JsonObject, value: number, path: string): Misfit | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number' && value < minimum) return misfit(path, `at least ${minimum}`, value);
  if (typeof maximum === 'number' && value > maximum) return misfit(path, `at most ${maximum}`, value);
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) {
    return misfit(path, `more than ${exclusiveMinimum}`, value);
  }
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) {
    return misfit(path, `less than ${exclusiveMaximum}`, value);
  }
  if (typeof multipleOf === 'number' && !isMultiple(value, multipleOf)) {
    return misfit(path, `a multiple of ${multipleOf}`, value);
  }
  return undefined;
}

export function judgeString(
  schema: JsonObject,
  patterns: ReadonlyMap<string, RegExp>,
  value: string,
  path: string,
): Misfit | undefined {
  const { minLength, maxLength, pattern } = schema;
  if (typeof minLength === 'number' && characters(value) < minLength) {
    return misfit(path, `at least ${minLength} characters`, value);
  }
  if (typeof maxLength === 'number' && characters(value) > maxLength) {
    return misfit(path, `at most ${maxLength} characters`, value);
  }
  if (typeof pattern === 'string' && !patterns.get(pattern)?.test(value)) {
    return misfit(path, `/${pattern}/`, value);
  }
  return undefined;
}

function isOfType(value: JsonValue, type: JsonValue): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isEqual(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  return typeof a === 'object' && typeof b === 'object' && canonicalJson(a) === canonicalJson(b);
}

/** Tenths and hundredths have no exact binary form: 4.02 is a multiple of 0.01 all the same. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
