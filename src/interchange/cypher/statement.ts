import type { Relationship } from '../../domain/edge.ts';
import type { KeywordRelation } from '../../domain/keyword.ts';
import type { RecordKind } from '../../domain/kinds.ts';

/**
 * Writes a graph as Cypher. Text is always data: it is in quoted literals, and the name of a keyword in a quoted label
 * too. Every other label, types and property names come from closed lists in this code.
 */

/** `_Info` for memos, and a label for every other kind of record. */
export type Label =
  | Capitalize<Exclude<RecordKind, 'memo' | 'redaction'>>
  | '_Info'
  | 'Session'
  | 'Writer'
  | 'Revision';

/** The relation types. The type of an observation's relation is text, and therefore a property of RELATION. */
export type GraphRelation =
  | KeywordRelation
  | Uppercase<Relationship>
  | 'ABOUT'
  | 'RELATED_TO'
  | 'EVIDENCE_OF'
  | 'POINTS_TO'
  | 'OUTCOME_OF'
  | 'REVISION_OF'
  | 'TAKEN_FROM'
  | 'LAST_MEMO'
  | 'WRITTEN_BY'
  | 'RELATION';

type Value = string | number | boolean | string[] | Float;
/** A number with a fraction, also when it is whole: 1.0 and 1 are different types in a graph. */
interface Float {
  float: number;
}

/** A missing value is left out: a graph has no empty properties. */
export type Property = Value | null | undefined;

/** The property that identifies a node: no other node of its label has the same value. */
export type NodeKey = { label: Label; key: string; value: string | number };

/** A statement after which no two nodes of a label have the same key; running it again changes nothing. */
export function uniqueKey(label: Label, key: string): string {
  return `CREATE CONSTRAINT precedent_${label}_${key} IF NOT EXISTS FOR (n:${label}) REQUIRE n.${key} IS UNIQUE;`;
}

/** A statement that makes a node, or brings it up to date. */
export function mergeNode(node: NodeKey, properties: Record<string, Property>): string {
  return `MERGE ${pattern('n', node)}${set('n', properties)};`;
}

/**
 * A statement that makes a node with its value as a label of its own (M-13), or brings it up to date.
 * @param properties those of a node of its kind; without any, it has no label but its own
 */
export function mergeNamedNode(node: NodeKey, properties?: Record<string, Property>): string {
  const { label, key, value } = node;
  const made = `MERGE (n:${quotedLabel(String(value))} {${key}: ${literal(value)}})`;
  return properties ? `${made} SET n:${label}, n += ${map(properties)};` : `${made};`;
}

/**
 * A statement that makes a relation between two nodes that exist, or brings it up to date.
 * @param identity tells apart two relations of one type between the same nodes; `properties` are the others
 */
export function mergeRelation(
  from: NodeKey,
  type: GraphRelation,
  to: NodeKey,
  properties: Record<string, Property> = {},
  identity: Record<string, Property> = {},
): string {
  const ends = `MATCH ${pattern('a', from)} MATCH ${pattern('b', to)}`;
  const own = Object.keys(identity).length > 0 ? ` ${map(identity)}` : '';
  return `${ends} MERGE (a)-[r:${type}${own}]->(b)${set('r', properties)};`;
}

function pattern(name: string, { label, key, value }: NodeKey): string {
  return `(${name}:${label} {${key}: ${literal(value)}})`;
}

function set(name: string, properties: Record<string, Property>): string {
  const known = map(properties);
  return known === '{}' ? '' : ` SET ${name} += ${known}`;
}

function map(properties: Record<string, Property>): string {
  const entries = Object.entries(properties).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [`${key}: ${literal(value)}`],
  );
  return `{${entries.join(', ')}}`;
}

function literal(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object')
    return Number.isInteger(value.float) ? value.float.toFixed(1) : String(value.float);
  return typeof value === 'string' ? quoted(value) : String(value);
}

/**
 * Characters that end a literal or a line in any reader: the quote, the backslash, control characters, line separators.
 * A `u` after a backslash is matched with it: some readers resolve numbered escapes first, and would see one.
 */
const SPECIAL = /\\[uU]?|['\p{Cc}\u2028\u2029]/gu;

/**
 * Neo4j resolves numbered escapes before it looks for the backtick that ends a label, and knows no other escape in one: a
 * backtick is doubled, and a backslash that would begin such an escape is written as one. So are line ends.
 */
const SPECIAL_IN_LABEL = /`|\\+(?=[uU])|[\p{Cc}\u2028\u2029]/gu;

/** A label on one line that reads as this text. */
function quotedLabel(text: string): string {
  const escaped = text.replace(SPECIAL_IN_LABEL, (special) =>
    special === '`' ? '``' : [...special].map(numbered).join(''),
  );
  return `\`${escaped}\``;
}

/** A string literal on one line. */
function quoted(text: string): string {
  return `'${text.replace(SPECIAL, escaped)}'`;
}

function escaped(special: string): string {
  if (special === "'") return "\\'";
  const [first = '', follower] = special;
  if (first !== '\\') return numbered(first);
  return `\\\\${follower ? numbered(follower) : ''}`;
}

function numbered(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
