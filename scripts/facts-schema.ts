import { FURTHEST, followed, LEADS_UP, NOT_IN_ID, type Rule, TAKEN } from '../src/store/columns.ts';
import { newestFormat, OPTIONAL, RULES } from '../src/sync/check.ts';
import type { Kind } from '../src/sync/facts.ts';

/** A part of a JSON schema (draft 2020-12). */
export type Schema = Record<string, unknown>;

/** How a rule limits a text, found by asking it. */
export interface Asked {
  types: Schema[];
  /** Characters of a text at most; undefined for none. */
  longest?: number | undefined;
}

/** More than any text may have. */
const MOST = 32 * 2 ** 20;

const known = new Map<Rule, Asked>();

/** Asks a rule which values it takes: a schema cannot differ from a check that it was made of. */
export function asked(rule: Rule): Asked {
  const found = known.get(rule) ?? askedNow(rule);
  known.set(rule, found);
  return found;
}

function askedNow(rule: Rule): Asked {
  const takes = (value: unknown) => (rule(value) ?? followed(value)) === undefined;
  const types: Schema[] = [];
  let longest: number | undefined;
  if (rule.choices) types.push({ enum: rule.choices });
  else if (rule.text === undefined) types.push(numberOf(takes));
  else if (takes(['a', 'b', 'c', 'd'])) {
    longest = longestOf((text) => takes([text, 'b', 'c', 'd']));
    const items = { type: 'string', maxLength: longest, pattern: '^[^\\u0000\\p{Cs}]*$' };
    types.push({ type: 'array', minItems: 4, maxItems: 4, items });
  } else if (!takes('x')) types.push({ type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
  else {
    longest = longestOf(takes);
    types.push({ type: 'string', allOf: textRules(rule, takes, longest) });
  }
  if (takes(null)) types.push({ type: 'null' });
  return { types, longest };
}

function numberOf(takes: (value: unknown) => boolean): Schema {
  if (takes(true)) return { type: 'boolean' };
  if (takes(0.5)) return { type: 'number', minimum: 0, maximum: 1 };
  if (takes(1) && !takes(2)) return { enum: [0, 1] };
  let [maximum, above] = [0, FURTHEST];
  while (above - maximum > 1) {
    const middle = Math.floor((maximum + above) / 2);
    if (takes(middle)) maximum = middle;
    else above = middle;
  }
  return { type: 'integer', minimum: -FURTHEST, maximum };
}

/** @returns undefined where it has no end */
function longestOf(takes: (text: string) => boolean): number | undefined {
  if (takes('x'.repeat(MOST))) return undefined;
  let [longest, beyond] = [1, MOST];
  while (beyond - longest > 1) {
    const middle = Math.floor((longest + beyond) / 2);
    if (takes('x'.repeat(middle))) longest = middle;
    else beyond = middle;
  }
  return longest;
}

/** The rules of a text that a pattern can say. */
function textRules({ text }: Rule, takes: (value: unknown) => boolean, longest?: number): Schema[] {
  const isList = takes('x\ny') && text === 'id';
  const rules: Schema[] = [{ pattern: '^[^\\u0000\\p{Cs}]*$' }];
  if (isList) rules.push({ pattern: `^[^\\n]{1,${longest}}(\\n[^\\n]{1,${longest}})*$` });
  else if (longest !== undefined)
    rules.push({ anyOf: [{ maxLength: longest }, { pattern: '\\[REDACTED\\]' }] });
  if (!takes(' x')) rules.push({ pattern: `^(\\S([\\s\\S]*\\S)?)${takes('') ? '?' : ''}$` });
  else if (!takes(' ')) rules.push({ pattern: '\\S' });
  if (!takes('<private>')) rules.push({ not: { pattern: '<[Pp][Rr][Ii][Vv][Aa][Tt][Ee]>' } });
  if (text !== 'id') return rules;
  const controls = '[\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\p{Zl}\\p{Zp}\\p{Bidi_Control}]';
  const each = TAKEN.source.replace(/^\^/, '(^|\\n)').replace(/\$$/, '($|\\n)');
  const parts = [isList ? controls : NOT_IN_ID.source, each, LEADS_UP.source];
  return [...rules, ...parts.map((pattern) => ({ not: { pattern } }))];
}

/** Ids that are made of other fields: they are of no record. */
export const MADE_IDS: Kind[] = ['link', 'joined', 'text'];

/** The fields of each kind, with its id and date. */
export const rulesOf = (kind: Kind): [field: string, rule: Rule | undefined][] => [
  ['id', MADE_IDS.includes(kind) ? undefined : RULES.evidence.decision],
  ['at', RULES.evidence.at],
  ...Object.entries(RULES[kind]).filter(([field]) => field !== 'at'),
];

/** The JSON schema of a line. */
export function factSchema(): Schema {
  const kinds = Object.keys(RULES) as Kind[];
  const $defs: Schema = {};
  /** A rule is named after the first field that has it. */
  const names = new Map<string, string>();
  const schemaOf = (rule: Rule | undefined, field: string, kind: Kind): Schema => {
    if (!rule) return { type: 'string' };
    const { types } = asked(rule);
    const schema = types.length === 1 ? types[0] : { anyOf: types };
    const key = JSON.stringify(schema);
    const name = names.get(key) ?? (field in $defs ? `${kind}-${field}` : field);
    names.set(key, name);
    $defs[name] = schema;
    return { $ref: `#/$defs/${name}` };
  };
  const lines = kinds.map((kind) => {
    const rules = rulesOf(kind);
    const fields = Object.fromEntries(rules.map(([name, rule]) => [name, schemaOf(rule, name, kind)]));
    return {
      type: 'object',
      properties: { k: { const: kind }, ...fields },
      required: ['k', ...rules.map(([name]) => name).filter((name) => !OPTIONAL.includes(name))],
    };
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:precedent:fact:${newestFormat()}`,
    title: 'A fact: one line of a segment',
    $comment: 'Made from src/sync/check.ts by "npm run reference". docs/reference/facts.md explains it.',
    type: 'object',
    properties: { f: { type: 'integer', maximum: newestFormat() }, k: { enum: kinds } },
    propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$' },
    required: ['f', 'k'],
    oneOf: lines,
    $defs,
  };
}
