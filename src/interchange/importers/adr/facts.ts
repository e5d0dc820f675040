import { type DecisionFact, type Facts, noFacts, type Rest } from '../../../domain/arrival/facts.ts';
import { OUTCOMES } from '../../../domain/outcome.ts';
import { chainsOf } from '../chains.ts';
import { TENTATIVE } from '../decided.ts';
import { withoutEnding } from '../markdown-files.ts';
import { attributesIn } from '../values.ts';
import { filled, namesIn } from './fields.ts';
import { linksBetween, type Missing } from './links.ts';
import type { AdrRecord } from './record.ts';
import { standsPlainly, stateOf } from './words.ts';

/** Lists of people and words that have no place in a decision. */
const KEPT = ['deciders', 'decision-makers', 'consulted', 'informed', 'tags', 'technical story', 'outcome'];

/** Decisions out of records: what replaced what is one chain (I-1). @param keyOf what a record is known by */
export function factsOf(
  records: AdrRecord[],
  keyOf: (record: AdrRecord) => string,
  dateOf: (record: AdrRecord) => number,
): Facts {
  const facts = noFacts('adr');
  const { links, missing } = linksBetween(records);
  const supersessions = links.filter(({ kind }) => kind === 'supersedes');
  const chains = chainsOf(
    records,
    supersessions.map(({ from, to }) => [from, to]),
    (a, b) => a.number - b.number || dateOf(a) - dateOf(b) || (a.file < b.file ? -1 : 1),
  );
  const topics = topicsOf(chains);
  const replaced = new Set(supersessions.map(({ to }) => to));
  for (const record of chains.flat()) {
    for (const warning of record.warnings) facts.warnings.push(`${record.file}: ${warning}`);
    const gone = missing.filter((each) => each.record === record);
    for (const each of gone.filter(({ kind, isReversed }) => !(kind === 'supersedes' && isReversed))) {
      facts.warnings.push(`${record.file} ${each.kind} ${each.written}: no such file`);
    }
    const at = dateOf(record);
    facts.decisions.push({
      key: keyOf(record),
      at,
      ...(record.date === undefined && { isUndated: true as const }),
      topic: topics.get(record) ?? record.stem,
      text: textOf(record),
      reasoning: reasoningOf(record),
      ...(stateOf(record.status[0] ?? '') === 'tentative' && { confidence: TENTATIVE }),
      ...attributesIn((name) => (record.own ? record.values[name] : filled(record.values[name]))),
      evidence: [{ text: record.text, at }],
      outcome: outcomeOf(record, at),
      withdrawn: replaced.has(record) ? undefined : withdrawalOf(record, gone, at),
      links: links.flatMap(({ kind, from, to }) =>
        from !== record || kind === 'supersedes' || kind === 'relates'
          ? []
          : [{ relationship: kind, to: keyOf(to) }],
      ),
      rest: restOf(record),
      ...ownOf(record),
    });
  }
  return facts;
}

/** What was exported from here comes as it was. */
function ownOf({ own }: AdrRecord): Partial<DecisionFact> {
  if (!own) return {};
  const { topic: _, withdrawn, ...as } = own;
  return { ...as, ...(withdrawn && { withdrawn }), isOwn: true };
}

/** Records of one chain of supersession have one topic: their own, or the name of the oldest. */
function topicsOf(chains: AdrRecord[][]): Map<AdrRecord, string> {
  const taken = new Map<string, AdrRecord[]>();
  const topics = new Map<AdrRecord, string>();
  for (const chain of chains) {
    const [oldest] = chain as [AdrRecord, ...AdrRecord[]];
    for (const record of chain) {
      const own = record.own ? record.own.topic : filled(record.values.topic);
      const plain = own ?? `adr:${oldest.stem}`;
      const holder = taken.get(plain) ?? chain;
      taken.set(plain, holder);
      const isOwn = own !== undefined || holder === chain;
      topics.set(record, isOwn ? plain : `adr:${withoutEnding(oldest.file)}`);
    }
  }
  return topics;
}

/** The title alone where it says what was decided. */
function textOf({ title, decision }: AdrRecord): string {
  const plain = (text: string) => text.replace(/(?<![.。!\s])[.。!\s]+$/, '').toLowerCase();
  return decision === '' || plain(decision) === plain(title) ? title : `${title}: ${decision}`;
}

function reasoningOf({ sections }: AdrRecord): string | null {
  const told = sections.filter(({ body }) => body !== '').map(({ heading, body }) => `${heading}\n${body}`);
  return told.length > 0 ? told.join('\n\n') : null;
}

/** It stands no more, and nothing that is here stands in its place. */
function withdrawalOf(record: AdrRecord, gone: Missing[], at: number): DecisionFact['withdrawn'] {
  const isOver = (line: string) => ['ended', 'replaced'].includes(stateOf(line) ?? '');
  const lines = record.status.filter(isOver);
  if (lines.length === 0) return undefined;
  const lost = gone.filter(({ kind, isReversed }) => kind === 'supersedes' && isReversed);
  const [first = ''] = lines;
  const said = stateOf(first) === 'ended' ? [first] : [];
  const by = lost.map(({ written }) => `superseded by ${written}, which is not there`);
  const reason = [...said, ...by].join('; ') || first;
  return { reason: reason[0]?.toUpperCase() + reason.slice(1), at };
}

/** How it turned out, as `failed: why` in the front matter. */
function outcomeOf({ values }: Pick<AdrRecord, 'values'>, at: number): DecisionFact['outcome'] {
  const [, word, reason = ''] = /^(\w+)(?::\s*(.+))?$/s.exec(filled(values.outcome) ?? '') ?? [];
  const outcome = OUTCOMES.find((each) => each === word);
  return outcome && { outcome, reason: reason.trim() || null, at };
}

function restOf({ status, values, own, file }: AdrRecord): Rest {
  const [state = ''] = status;
  const lists = KEPT.flatMap((key) => {
    const names = namesIn(values[key]);
    // Who wrote it, and how it turned out, is kept with the decision.
    const isKnown =
      (key === 'outcome' && outcomeOf({ values }, 0) !== undefined) ||
      (key === 'decision-makers' && own !== undefined && names.join() === own.author);
    return names.length > 0 && !isKnown ? [[key, names] as const] : [];
  });
  // Its number stays with it, so that the next export gives it the same.
  return {
    ...(own && { file }),
    ...(standsPlainly(state) ? {} : { status: state }),
    ...Object.fromEntries(lists),
  };
}
