import { FIELD_NAMES, FIELDS } from '../domain/decision.ts';
import { canonical } from '../domain/text/digest.ts';
import { followed, type Rule, text } from '../store/columns.ts';
import { COLUMNS } from '../store/schema.ts';
import type { Table } from '../store/tables.ts';
import type { Fact, Fields, Kind } from './facts.ts';
import { COLUMNS_OF, same } from './recorded.ts';

/** The rules of some columns of a table, by the names that a fact has for them. */
function columns(table: Table, names: Record<string, string>): Record<string, Rule> {
  const rules: Record<string, Rule> = COLUMNS[table];
  return Object.fromEntries(Object.entries(names).map(([field, column]) => [field, rules[column] as Rule]));
}

const flag: Rule = (value) => (typeof value === 'boolean' ? undefined : 'true or false');

const WRITER = Object.values(columns('writers', same(['author', 'host', 'client', 'session'])));
/** Characters of a name: every list shows it. */
const LONGEST_NAME = 1_000;
/** The writer of the fact. */
const by = text('name', (who) =>
  Array.isArray(who) &&
  who.length === WRITER.length &&
  WRITER.every((rule, at) => !rule(who[at]) && who[at].length <= LONGEST_NAME)
    ? undefined
    : 'somebody who wrote it',
);

/** The fields of each kind of fact, and what each may hold (Y-8): as strict as what is saved or imported here. */
export const RULES: Record<Kind, Record<string, Rule>> = {
  decision: { ...columns('decisions', COLUMNS_OF.decision), by },
  outcome: { ...columns('outcomes', COLUMNS_OF.outcome), by },
  evidence: { ...columns('evidence', COLUMNS_OF.evidence), by },
  anchor: { ...columns('anchors', COLUMNS_OF.anchor), by },
  link: columns('decisionEdges', { relationship: 'relationship', from: 'fromId', to: 'toId' }),
  observation: { ...columns('observations', { at: 'createdAt' }), by },
  text: {
    ...columns('observations', same(['title', 'content', 'type'])),
    ...columns('decisions', { observation: 'id' }),
    by,
  },
  place: columns('observations', same(['project', 'scope', 'topicKey', 'deletedAt'])),
  relation: {
    ...columns('relations', same(['type', 'note'])),
    ...columns('decisions', { from: 'id', to: 'id' }),
    by,
  },
  mark: { gone: flag, by },
  called: { ...columns('decisions', { decision: 'id', topic: 'topic', was: 'topic' }), gone: flag, by },
  joined: columns('decisions', { from: 'id', to: 'id' }),
  erased: {},
};

/**
 * The version of the format in which a field of a kind first had such a word: one more than the newest. A field that means
 * something else is a line for its kind: `['place', 'k', 'place', 2]`. All that has no line is of version 1 (J-5).
 */
export const SINCE: [kind: Kind, field: string, word: string, format: number][] = [];

/** The version of the format; a reader keeps newer facts whole, and reports that. */
export const newestFormat = (): number => Math.max(1, ...SINCE.map(([, , , format]) => format));

/** The oldest version of the format that can read a fact: a new word must not keep older programs from all the rest. */
export const formatOf = (fact: Fact): number =>
  Math.max(
    1,
    ...SINCE.map(([k, field, word, format]) =>
      fact.k === k && (fact as Fields)[field] === word ? format : 1,
    ),
  );

/** The fields of each kind of fact that hold such a text. A redaction blanks a part of words, and a whole name (Y-7). */
const fieldsOf = (kind: 'words' | 'name') =>
  Object.fromEntries(
    Object.entries(RULES).map(([k, rules]) => [
      k,
      Object.keys(rules).filter((field) => rules[field]?.text === kind),
    ]),
  ) as Record<Kind, string[]>;
export const WORDS = fieldsOf('words');
export const NAMES = fieldsOf('name');

const ID = COLUMNS.decisions.id;

/** Ids that follow from the other fields of a fact; every other one is that of a record. */
const MADE: Partial<Record<Kind, (fact: Fields) => boolean>> = {
  link: ({ id, from, relationship, to }) => id === `${from} ${relationship} ${to}`,
  joined: ({ id, from, to }) => id === `${from} ${to}`,
  text: ({ id, observation }) => String(id).replace(/@-?\d+(\.\d+)?$/, '') === observation,
};

/** Fields of a decision that an older version does not know, and leaves out. */
export const OPTIONAL: string[] = [...FIELD_NAMES.filter((field) => FIELDS[field].first === null), 'tidies'];

/** Rules between the fields of a fact. */
function problemTogether(fact: Fields): string | undefined {
  const { k, from, to } = fact;
  if ((k === 'link' || k === 'joined' || k === 'relation') && from === to) return 'it leads to itself';
  if (k === 'link' && fact.relationship === 'supersedes')
    return 'a link "supersedes" follows from the chain, and is not sent by itself';
  if (k === 'anchor') {
    const [target, other] =
      fact.type === 'decision_link' ? [fact.decision, fact.evidence] : [fact.evidence, fact.decision];
    if (target === null || other !== null) return 'it needs exactly one target, of its type';
  }
  const isMade = MADE[k as Kind];
  return isMade && !isMade(fact) ? 'its id does not match its content' : undefined;
}

/** Characters of what a newer program wrote of one fact. */
export const LONGEST_KEPT = 2 ** 18;

/** A fault of the fields of a newer program; undefined where they are right. */
export function problemOfMore(more: unknown): string | undefined {
  if (more === undefined) return undefined;
  const text = canonical(more);
  if (text.length > LONGEST_KEPT) return `a newer version wrote more than ${LONGEST_KEPT} characters of it`;
  const isName = (field: string) => /^[a-z]\w{0,39}$/i.test(field);
  if (!Object.keys(more as Fields).every(isName)) return 'it has a field that is not a name';
  const problem = COLUMNS.keptFacts.body(text);
  return problem === undefined ? undefined : `what a newer version wrote of it is not ${problem}`;
}

/**
 * A fact as somebody wrote it, or what is wrong with it. Every field of its kind is there and right, before anything of it
 * counts (Z-13); others are those of a newer program (J-5).
 */
export function checked(said: Fields): { fact: Fact } | { problem: string } {
  const rules = Object.hasOwn(RULES, String(said.k)) ? RULES[said.k as Kind] : undefined;
  if (!rules) return { problem: 'a kind of fact that this version does not know' };
  const fact: Fields = { k: said.k };
  const all = {
    id: (said.k as string) in MADE ? () => undefined : ID,
    at: COLUMNS.changes.createdAt,
    ...rules,
  };
  for (const [field, rule] of Object.entries(all)) {
    const isThere = Object.hasOwn(said, field);
    if (!isThere && !OPTIONAL.includes(field)) return { problem: `it has no "${field}"` };
    const value = isThere ? said[field] : null;
    const problem = rule(value) ?? followed(value);
    if (problem !== undefined) return { problem: `"${field}" is not ${problem}` };
    fact[field] = value;
  }
  const more = Object.entries(said).filter(
    ([field, value]) => value !== null && field !== 'k' && !Object.hasOwn(all, field),
  );
  if (more.length > 0) fact.more = Object.fromEntries(more);
  const problem = problemTogether(fact) ?? problemOfMore(fact.more);
  return problem === undefined ? { fact: fact as unknown as Fact } : { problem };
}
