import { type DecisionFact, type ExtraFields, type Facts, noFacts } from '../../../domain/import/facts.ts';
import { OUTCOMES } from '../../../domain/outcome.ts';
import { sha256 } from '../../../domain/text/digest.ts';
import { capitalize } from '../../../domain/text/text.ts';
import { chainsOf, endReplaced } from '../chains.ts';
import { OF_RECORDS, withoutEnding } from '../markdown-files.ts';
import { attributesIn } from '../values.ts';
import { dateOf } from './dates.ts';
import { filled, namesIn } from './fields.ts';
import { linksBetween, type Missing } from './links.ts';
import { type Place, partIn } from './places.ts';
import type { AdrRecord } from './record.ts';
import { isOver, standsPlainly, stateOf } from './words.ts';

/** Confidence in what is only proposed. */
const TENTATIVE = 0.3;
/** Fields that a decision does not have. They are kept as extra fields. */
const KEPT = ['deciders', 'decision-makers', 'consulted', 'informed', 'tags', 'technical story', 'outcome'];

/** The records that stand: their state does not say otherwise, and none supersedes them. */
export function standing(records: AdrRecord[]): AdrRecord[] {
  const { links } = linksBetween(records);
  const replaced = new Set(links.flatMap(({ kind, to }) => (kind === 'supersedes' ? to : [])));
  return records.filter((each) => !replaced.has(each) && !each.status.some((line) => isOver(line)));
}

/**
 * Makes decisions of records. Records that replaced each other are one chain (I-1).
 * @param records entries of a log in its order, oldest first
 * @param placeOf where a record lies; what Precedent exported has an id instead
 */
export function factsOf(
  records: AdrRecord[],
  placeOf: (record: AdrRecord) => Place,
  atOf: (record: AdrRecord) => number,
): Facts {
  const facts = noFacts('adr');
  const places = new Map(records.map((each, index) => [each, index]));
  const keyOf = (record: AdrRecord) => record.own?.id ?? placeOf(record).path;
  const inOrder = (a: AdrRecord, b: AdrRecord) =>
    a.number - b.number ||
    atOf(a) - atOf(b) ||
    (a.source === b.source ? (places.get(a) ?? 0) - (places.get(b) ?? 0) : a.source < b.source ? -1 : 1);
  const { links, missing } = linksBetween(records);
  const linksOf = Map.groupBy(links, ({ from }) => from);
  const supersessions = links.filter(({ kind }) => kind === 'supersedes');
  const { chains, across } = chainsOf(
    records,
    supersessions.map(({ from, to }) => [from, to]),
    inOrder,
  );
  const topics = topicsOf(chains);
  const decisions = new Map<AdrRecord, DecisionFact>();
  const replaced = new Set(supersessions.map(({ to }) => to));
  for (const record of chains.flat()) {
    for (const warning of record.warnings) facts.warnings.push(`${record.file}: ${warning}`);
    const gone = missing.filter((each) => each.record === record);
    for (const each of gone.filter(({ kind, isReversed }) => !(kind === 'supersedes' && isReversed))) {
      facts.warnings.push(
        `${record.file} ${each.kind === 'relates' ? 'names' : each.kind} ${each.written}: ${each.why ?? 'no such file'}`,
      );
    }
    const at = atOf(record);
    const topic = topics.get(record) ?? record.stem;
    decisions.set(record, {
      key: keyOf(record),
      ...(record.own === undefined && amongOthers(placeOf(record), topic)),
      at,
      ...(record.date === undefined && { isUndated: true as const }),
      topic,
      text: textOf(record),
      reasoning: reasoningOf(record),
      ...(stateOf(record.status[0] ?? '') === 'tentative' && { confidence: TENTATIVE }),
      // Others call the files of a record so, too (F-1).
      ...attributesIn((name) => {
        if (name === 'files') return record.values.affects;
        if (name === 'scope' && !record.own) return scopeOf(record, placeOf(record).path);
        return record.own ? record.values[name] : filled(record.values[name]);
      }),
      evidence: [{ text: record.text, at }],
      outcome: outcomeOf(record, at),
      withdrawn: replaced.has(record) ? undefined : withdrawalOf(record, gone, at),
      links: (linksOf.get(record) ?? []).flatMap(({ kind, to }) => {
        // Links within its chain follow from its versions.
        const isSaid = kind === 'supersedes' || (!record.own && topics.get(to) === topics.get(record));
        return isSaid ? [] : [{ relationship: kind, to: keyOf(to) }];
      }),
      rest: restOf(record),
      // A record that Precedent exported comes unchanged.
      ...record.own,
    });
  }
  endReplaced(decisions, across);
  return { ...facts, decisions: [...decisions.values()] };
}

/** The mark of this repository's records: a topic that another repository has gets the name of this one before it. */
const amongOthers = ({ repository, formerKeys }: Place, topic: string) =>
  repository && {
    of: repository.id,
    formerKeys,
    otherTopics: [repository.name, `${repository.name}-${sha256(repository.id).slice(0, 8)}`].map((name) =>
      topic.replace(/^(?:[^:]*:)?/, (prefix) => `${prefix}${name}/`),
    ),
  };

/**
 * The scope that a record names, else what its folder, its category or its first tag says (SR-4). Without any of these it is that of
 * its topic.
 */
function scopeOf({ values }: AdrRecord, path: string): string | undefined {
  const [category] = namesIn(values.category);
  const [tag] = namesIn(values.tags);
  return filled(values.scope) ?? partIn(path) ?? category ?? tag;
}

/** The topics of records. A chain has one topic: its own, or the name of the oldest record. */
function topicsOf(chains: AdrRecord[][]): Map<AdrRecord, string> {
  const taken = new Map<string, AdrRecord[]>();
  const topics = new Map<AdrRecord, string>();
  for (const chain of chains) {
    const [oldest] = chain as [AdrRecord, ...AdrRecord[]];
    for (const record of chain) {
      const own = record.own ? record.own.topic : filled(record.values.topic);
      // A record without a topic here has none afterwards; its id tells it from all others.
      const plain = own ?? `adr:${oldest.own?.id ?? oldest.stem}`;
      const holder = taken.get(plain) ?? chain;
      taken.set(plain, holder);
      const isOwn = own !== undefined || holder === chain;
      topics.set(record, isOwn ? plain : `adr:${withoutEnding(oldest.file, OF_RECORDS)}`);
    }
  }
  return topics;
}

/** The title with the decision, or the title alone if both are the same. */
function textOf({ title, decision }: AdrRecord): string {
  const plain = (text: string) => text.replace(/(?<![.。!\s])[.。!\s]+$/, '').toLowerCase();
  return decision === '' || plain(decision) === plain(title)
    ? title
    : `${title}${/[.。!?]$/.test(title) ? '' : ':'} ${decision}`;
}

function reasoningOf({ sections }: AdrRecord): string | null {
  const stated = sections
    .filter(({ body }) => body !== '')
    .map(({ heading, body }) => `${heading}\n${body}`.trim());
  return stated.length > 0 ? stated.join('\n\n') : null;
}

/** The withdrawal of a record that is no longer active and has no replacement here. */
function withdrawalOf(record: AdrRecord, gone: Missing[], at: number): DecisionFact['withdrawn'] {
  const lines = record.status.filter((line) => isOver(line));
  if (lines.length === 0) return undefined;
  const lost = gone.filter(({ kind, isReversed }) => kind === 'supersedes' && isReversed);
  const [first = ''] = lines;
  const said = stateOf(first) === 'ended' ? [first] : [];
  const by = lost.map(({ written }) => `superseded by ${written}, which is not there`);
  const reason = [...said, ...by].join('; ') || first;
  const day = dateOf(/\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b/.exec(first)?.[0]);
  return { reason: capitalize(reason), at: Math.max(at, day ?? at) };
}

/** The outcome, as `failed: why` in the front matter. */
function outcomeOf({ values }: Pick<AdrRecord, 'values'>, at: number): DecisionFact['outcome'] {
  const [, word, reason = ''] = /^(\w+)(?::\s*(.+))?$/s.exec(filled(values.outcome) ?? '') ?? [];
  const outcome = OUTCOMES.find((each) => each === word);
  return outcome && { outcome, reason: reason.trim() || null, at };
}

function restOf({ status, values, own, file }: AdrRecord): ExtraFields {
  const [state = ''] = status;
  const lists = KEPT.flatMap((key) => {
    const names = namesIn(values[key]);
    // Author and outcome are fields of the decision.
    const isKnown =
      (key === 'outcome' && outcomeOf({ values }, 0) !== undefined) ||
      (key === 'decision-makers' && own !== undefined && names.join() === own.author);
    return names.length > 0 && !isKnown ? [[key, names] as const] : [];
  });
  // The file name keeps its number for the next export.
  return {
    ...(own && { file }),
    ...(standsPlainly(state) ? {} : { status: state }),
    ...Object.fromEntries(lists),
  };
}
