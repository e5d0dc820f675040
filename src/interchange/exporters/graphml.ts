import { ATTRIBUTES, type Attribute, attributesOf, FIELDS } from '../../domain/decision.ts';
import { iso } from '../../domain/text/moment.ts';
import { viaOf } from '../../domain/via.ts';
import {
  type ListedRecord,
  listedRecords,
  wholeObservations,
  wholePlain,
} from '../../store/export/records.ts';
import { listedVersions, wholeVersions } from '../../store/export/versions.ts';
import { keywordsAbout } from '../../store/memos/memo.ts';
import type { Tx, Writer } from '../../store/tx.ts';
import type { ExportTerms } from './exporter.ts';
import { titleOf } from './names.ts';

/** What nodes and edges say, and as what. */
const KEYS = {
  node: {
    label: 'string',
    kind: 'string',
    id: 'string',
    text: 'string',
    topic: 'string',
    version: 'int',
    active: 'boolean',
    ...(Object.fromEntries(
      ATTRIBUTES.map((name) => [name, FIELDS[name].kind === 'number' ? 'double' : 'string']),
    ) as Record<Attribute, 'double' | 'string'>),
    outcome: 'string',
    type: 'string',
    project: 'string',
    author: 'string',
    via: 'string',
    created: 'string',
  },
  edge: { label: 'string', kind: 'string', note: 'string', created: 'string' },
} as const;
/** Who wrote a record, and by what (V-1). */
type Written = Pick<Writer, 'author' | 'client'>;
type Values<Of extends keyof typeof KEYS> = Partial<
  Record<keyof (typeof KEYS)[Of], string | number | boolean | null | undefined>
>;

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">`;

/**
 * The memory as a graph in GraphML (I-5), for Gephi, yEd or NetworkX: versions of decisions, evidence, observations, memos
 * and what they are about as nodes; what links them as edges with a kind. A node is called after the number of its record.
 */
export async function* graphmlOf(tx: Tx, { chosen, authors }: ExportTerms): AsyncGenerator<string> {
  yield HEAD;
  for (const [of, keys] of Object.entries(KEYS)) {
    for (const [name, type] of Object.entries(keys))
      yield `  <key id="${of}-${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>`;
  }
  yield '  <graph id="precedent" edgedefault="directed">';
  const observations = await listedRecords(tx, 'observation', chosen);
  const numbers = new Map(observations.map(({ id, seq }) => [Number(id), seq]));
  const stated = (await listedVersions(tx, chosen)).filter(({ isChosen }) => isChosen);
  const seqs = new Map(stated.map(({ id, seq }) => [id, seq]));
  const by = ({ author, client }: Written) =>
    authors ? { author: author || undefined, via: viaOf(client) } : {};
  for await (const { decision, writer, evidence, from } of wholeVersions(tx, [...seqs.keys()])) {
    const seq = seqs.get(decision.id) as number;
    yield node(`r${seq}`, {
      label: decision.topic ?? titleOf(decision.text),
      kind: 'decision',
      id: decision.id,
      text: decision.text,
      topic: decision.topic,
      version: decision.version,
      active: decision.isActive,
      ...Object.fromEntries(attributesOf(decision)),
      outcome: decision.outcome,
      ...by(writer),
      created: iso(decision.createdAt),
    });
    for (const { toId, relationship, createdAt } of from) {
      const to = seqs.get(toId);
      if (to !== undefined) yield edge(`r${seq}`, `r${to}`, relationship, iso(createdAt));
    }
    for (const each of evidence) {
      yield node(`e-${each.id}`, {
        label: titleOf(each.content),
        kind: 'evidence',
        id: each.id,
        text: each.content,
        created: iso(each.timestamp),
      });
      yield edge(`e-${each.id}`, `r${seq}`, 'evidence_of', iso(each.timestamp));
      const source = each.observationId === null ? undefined : numbers.get(each.observationId);
      if (source !== undefined) yield edge(`e-${each.id}`, `r${source}`, 'taken_from', iso(each.timestamp));
    }
  }
  for await (const each of wholeObservations(tx, [...numbers.keys()])) {
    yield node(`r${each.seq}`, {
      label: each.title,
      kind: 'observation',
      id: String(each.id),
      text: each.content,
      topic: each.topicKey,
      scope: each.scope,
      type: each.type,
      project: each.project || undefined,
      ...by(each),
      created: iso(each.createdAt),
    });
    for (const { fromId, toId, type, note, createdAt } of each.relations) {
      const to = numbers.get(toId);
      if (fromId === each.id && to !== undefined)
        yield edge(`r${each.seq}`, `r${to}`, type, iso(createdAt), note);
    }
  }
  yield* memos(tx, await listedRecords(tx, 'memo', chosen), by);
  yield '  </graph>';
  yield '</graphml>';
}

/** Memos, and a node for each keyword that one of them is about. */
async function* memos(
  tx: Tx,
  stated: ListedRecord[],
  by: (written: Written) => { author?: string | undefined; via?: string | undefined },
): AsyncGenerator<string> {
  const keywords = new Map<string, string>();
  for await (const memos of wholePlain<'memos'>(tx, 'memo', stated)) {
    const about = await keywordsAbout(
      tx,
      memos.map(({ seq }) => seq),
    );
    for (const { seq, id, summary, fullText, createdAt, ...written } of memos) {
      yield node(`r${seq}`, {
        label: titleOf(summary),
        kind: 'memo',
        id,
        text: fullText,
        ...by(written),
        created: iso(createdAt),
      });
      for (const name of about.get(seq) ?? []) {
        const known = keywords.get(name) ?? `k${keywords.size + 1}`;
        if (!keywords.has(name)) {
          keywords.set(name, known);
          yield node(known, { label: name, kind: 'keyword', id: name });
        }
        yield edge(`r${seq}`, known, 'about', iso(createdAt));
      }
    }
  }
}

function node(id: string, values: Values<'node'>): string {
  return `    <node id="${attribute(id)}">${data('node', values)}</node>`;
}

function edge(source: string, target: string, kind: string, created: string, note?: string | null): string {
  const values: Values<'edge'> = { label: kind, kind, note, created };
  return `    <edge source="${attribute(source)}" target="${attribute(target)}">${data('edge', values)}</edge>`;
}

function data(of: keyof typeof KEYS, values: object): string {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `<data key="${of}-${name}">${escaped(String(value))}</data>`)
    .join('');
}

/** What may be in a name of XML, and what takes the place of all else. */
const attribute = (text: string) => text.replace(/[^\p{L}\p{N}._-]/gu, '.');
/** Characters that XML has no way to write. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNWRITABLE = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
const escaped = (text: string) =>
  text.replace(UNWRITABLE, '\ufffd').replace(/[&<>\r]/g, (mark) => MARKS[mark] ?? mark);
