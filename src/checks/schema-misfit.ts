import type { ErrorObject } from 'ajv';
import type { JsonValue } from '../base/json.ts';
import { type Misfit, memberPath, misfit, quotedText } from './misfit.ts';
import { shorten } from './text.ts';

/**
 * The misfit that helps most. The validator stops at the first keyword that fails and reports it last; before it stand
 * the errors of the schemas in it. Of several choices the one that fits deepest is most likely the one that was meant.
 */
export function misfitOf(errors: readonly ErrorObject[]): Misfit {
  const last = errors.at(-1);
  if (last === undefined) throw new Error('a value that does not fit has no error');
  if (!isChoice(last)) return describe(last);
  const inner = errors.filter((error) => !isChoice(error)).map(describe);
  return inner.reduce<Misfit | undefined>(deeper, undefined) ?? describe(last);
}

function deeper(best: Misfit | undefined, one: Misfit): Misfit {
  return best === undefined || one.path.length > best.path.length ? one : best;
}

/** The keyword says only that none of its schemas fits. */
function isChoice({ keyword, params }: ErrorObject): boolean {
  if (keyword === 'oneOf') return (params as { passingSchemas: unknown }).passingSchemas === null;
  return keyword === 'anyOf' || keyword === 'if';
}

function describe(error: ErrorObject): Misfit {
  const { keyword, params, parentSchema, schema } = error;
  const data = error.data as JsonValue | undefined;
  const path = pathOf(error.instancePath);
  const at = (expected: string) => misfit(path, expected, data);
  switch (keyword) {
    case 'required':
    case 'dependencies':
    case 'dependentRequired':
      return misfit(memberPath(path, params.missingProperty), 'a value', undefined);
    case 'additionalProperties':
      return unknownMember(path, data, params.additionalProperty);
    case 'unevaluatedProperties':
      return unknownMember(path, data, params.unevaluatedProperty);
    case 'additionalItems':
    case 'unevaluatedItems':
    case 'items':
      return at(`at most ${count(Number(params.limit ?? params.len), 'item')}`);
    case 'propertyNames':
      return misfit(memberPath(path, params.propertyName), 'another name', params.propertyName);
    case 'false schema':
      return falseSchema(error, path, data);
    case 'type':
      return at([params.type].flat().join(' or '));
    case 'enum':
      return at(`one of ${shorten(JSON.stringify(params.allowedValues))}`);
    case 'const':
      return at(quotedText(params.allowedValue));
    case 'multipleOf':
      return at(`a multiple of ${schema}`);
    case 'pattern':
      return at(`/${params.pattern}/`);
    case 'format':
      return at(`the format ${params.format}`);
    case 'uniqueItems':
      return at('no item twice');
    case 'contains':
      return at(containsWords(params));
    case 'not':
      return at('anything but this');
    case 'oneOf':
      return {
        path,
        expected: 'one choice of oneOf to fit',
        found: `${params.passingSchemas.length} that do`,
      };
    default:
      return at(
        boundWords(keyword, params.limit) ??
          `${keyword} ${shorten(JSON.stringify(schema ?? parentSchema ?? null))}`,
      );
  }
}

function unknownMember(path: string, data: JsonValue | undefined, key: string): Misfit {
  const member = (data as Record<string, JsonValue> | undefined)?.[key];
  return misfit(memberPath(path, key), 'no such property', member);
}

/** What keywords say that set a bound. */
function boundWords(keyword: string, limit: number): string | undefined {
  if (keyword === 'exclusiveMinimum') return `more than ${limit}`;
  if (keyword === 'exclusiveMaximum') return `less than ${limit}`;
  const [, side, counted] = /^(min|max)(imum|Length|Items|Properties)$/.exec(keyword) ?? [];
  if (counted === undefined) return undefined;
  const noun = nouns.get(counted);
  return `at ${side === 'min' ? 'least' : 'most'} ${noun === undefined ? limit : count(limit, noun)}`;
}

const nouns = new Map([
  ['Length', 'character'],
  ['Items', 'item'],
  ['Properties', 'property'],
]);

/** `properties: { a: false }` forbids a member; elsewhere nothing at all fits. */
function falseSchema({ schemaPath }: ErrorObject, path: string, data: JsonValue | undefined): Misfit {
  const isMember = /\/(properties|patternProperties)\/[^/]+\/false schema$/.test(schemaPath);
  return misfit(path, isMember ? 'no such property' : 'nothing', data);
}

function containsWords({ minContains, maxContains }: ErrorObject['params']): string {
  const upTo = maxContains === undefined ? ' or more' : ` to ${maxContains}`;
  return `${minContains}${upTo} items as in contains`;
}

function count(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** A JSON pointer as people write it: `$.scenes[1].title`. A key of digits is shown as an index either way. */
function pathOf(pointer: string): string {
  const keys = pointer.split('/').slice(1);
  return keys.reduce((path, key) => {
    const plain = key.replaceAll('~1', '/').replaceAll('~0', '~');
    return /^(0|[1-9]\d*)$/.test(plain) ? `${path}[${plain}]` : memberPath(path, plain);
  }, '$');
}
