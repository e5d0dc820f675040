import { followed, type Rule, text } from '../store/columns.ts';
import { COLUMNS } from '../store/schema.ts';
import type { Table } from '../store/tables.ts';
import type { Kind } from './facts.ts';
import { COLUMNS_OF, same } from './recorded.ts';

/** The rules of some columns of a table, by the names that a fact has for them. */
function columns(table: Table, names: Record<string, string>): Record<string, Rule> {
  const rules: Record<string, Rule> = COLUMNS[table];
  return Object.fromEntries(Object.entries(names).map(([field, column]) => [field, rules[column] as Rule]));
}

const flag: Rule = (value) => (typeof value === 'boolean' ? undefined : 'true or false');

const WRITER = Object.values(columns('writers', same(['author', 'host', 'client', 'session'])));
/** Who said it. */
const by = text('name', (who) =>
  Array.isArray(who) && who.length === WRITER.length && WRITER.every((rule, at) => !rule(who[at]))
    ? undefined
    : 'somebody who wrote it',
);

/** What each kind of fact may say (Y-8): as strict as what is saved or imported here. */
const RULES: Record<Kind, Record<string, Rule>> = {
  decision: { ...columns('decisions', COLUMNS_OF.decision), by },
  outcome: { ...columns('outcomes', COLUMNS_OF.outcome), by },
  evidence: { ...columns('evidence', COLUMNS_OF.evidence), by },
  anchor: { ...columns('anchors', COLUMNS_OF.anchor), by },
  link: columns('decisionEdges', { relationship: 'relationship', from: 'fromId', to: 'toId' }),
  observation: { ...columns('observations', { at: 'createdAt' }), by },
  text: { ...columns('observations', same(['title', 'content', 'type'])), by },
  place: columns('observations', same(['project', 'scope', 'topicKey', 'deletedAt'])),
  relation: { ...columns('relations', same(['type', 'note'])), by },
  mark: { gone: flag, by },
  called: { ...columns('decisions', { decision: 'id', topic: 'topic', was: 'topic' }), gone: flag, by },
  joined: columns('decisions', { from: 'id', to: 'id' }),
  erased: {},
};

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
const AT: Rule = (value) => COLUMNS.changes.createdAt(value) ?? followed(value);

/** What is wrong with a fact that somebody wrote into the folder; undefined where nothing is. */
export function problemOfFact(fact: Record<string, unknown>): string | undefined {
  const rules = Object.hasOwn(RULES, String(fact.k)) ? RULES[fact.k as Kind] : undefined;
  if (!rules) return 'a kind of fact that this version does not know';
  const isBetween = fact.k === 'link' || fact.k === 'joined';
  const ids = isBetween ? [] : [fact.id, ...('observation' in fact ? [fact.observation] : [])];
  const wrongId = ids.map(ID).find(Boolean);
  if (wrongId) return `its id is not ${wrongId}`;
  for (const [field, rule] of Object.entries({ ...rules, at: AT })) {
    const problem = rule(fact[field] ?? null);
    if (problem !== undefined) return `"${field}" is not ${problem}`;
  }
  if ((isBetween || fact.k === 'relation') && fact.from === fact.to) return 'it leads to itself';
  if (fact.k === 'link' && fact.relationship === 'supersedes')
    return 'what supersedes what follows from its chain';
  const [target, other] = [fact.decision ?? null, fact.evidence ?? null];
  if (
    fact.k === 'anchor' &&
    ((target === null) === (other === null) || (target === null) === (fact.type === 'decision_link'))
  )
    return 'it has not one target of its type';
  return undefined;
}
