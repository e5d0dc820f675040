import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Correction, readSentences, stillSays, termsToCount } from '../../src/domain/copies/copies.ts';
import { queryTerms } from '../../src/domain/language/analysis.ts';
import { openCore } from '../../src/memory/core.ts';
import { loadOperation } from '../../src/operations/load.ts';
import { print } from '../measure.ts';

/**
 * Of the records that still say what was replaced, withdrawn or failed, how many the answer names, and what it names besides
 * (CC-1); the same of sentences in files. README.md says what the sets are.
 *
 *   node bench/copies/run.ts [a b c] [--held] [--misses]
 */
const given = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const HALF = process.argv.includes('--held') ? 'held' : 'work';
const IS_EXPLAINING = process.argv.includes('--misses');
/** Records of other projects that the memory has besides. */
const BACKGROUND = 500;
/** Those that say what a claim says, as read by a person: the authors of the sets have not seen them. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'a c21': ['other:web:state'],
  'b c29': ['other:web:state'],
  'a c40': ['other:api:graphql'],
};

interface Claim {
  id: string;
  kind: 'decision' | 'note';
  topic: string;
  old: string;
  old_reason: string;
  how: 'replaced' | 'withdrawn' | 'failed';
  new: string;
  new_reason: string;
  scope: string;
  half: string;
}
/** No act withdraws a note: it is superseded, or deleted. */
const isCorrected = ({ kind, how }: Claim) => kind === 'decision' || how === 'replaced';
interface Neighbour {
  claim: string;
  role: string;
  other_language?: boolean;
}
interface Recorded extends Neighbour {
  id: string;
  kind: 'decision' | 'note' | 'memo';
  topic: string;
  text: string;
  reason: string;
  scope: string;
  when: 'before' | 'after';
}
interface Line extends Neighbour {
  sentence: string;
}
interface Background {
  topic?: string;
  decision?: string;
  reasoning?: string;
  scope?: string;
  title?: string;
  content?: string;
}
type Memory = Awaited<ReturnType<typeof openCore>>;

const read = <T>(...path: string[]): T[] =>
  readFileSync(join(import.meta.dirname, ...path), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** How many twins there are and are named, and what is named. */
class Count {
  twins = 0;
  found = 0;
  named = 0;
  right = 0;
  clean = 0;
  disturbed = 0;

  add(claim: Claim, all: readonly (Neighbour & { text: string })[], named: ReadonlySet<Neighbour>): void {
    const own = all.filter((each) => each.claim === claim.id && each.role === 'twin');
    const same = own.filter((each) => each.other_language !== true);
    this.twins += same.length;
    this.found += same.filter((each) => named.has(each)).length;
    const wrong = [...named].filter((each) => each.claim !== claim.id || each.role !== 'twin');
    this.named += named.size;
    this.right += named.size - wrong.length;
    if (own.length === 0) {
      this.clean++;
      if (wrong.length > 0) this.disturbed++;
    }
    if (!IS_EXPLAINING) return;
    const show = (what: string, { role, ...of }: Neighbour) =>
      print(`  ${what} ${claim.id} ${role}: ${claim.old} | ${(of as { text?: string }).text}`);
    for (const each of named) show(wrong.includes(each) ? 'wrong' : 'right', each);
    for (const each of same) if (!named.has(each)) show('missed', each);
  }

  toString(): string {
    const share = (some: number, of: number) =>
      `${some} of ${of} (${Math.round((100 * some) / Math.max(of, 1))} %)`;
    return `claims without a twin for which anything is named ${share(this.disturbed, this.clean)}, right of what is named ${share(this.right, this.named)}, twins in the same language that are named ${share(this.found, this.twins)}`;
  }
}

async function measure(set: string): Promise<void> {
  const claims = read<Claim>(set, 'claims.jsonl').filter(isCorrected);
  const records = read<Recorded>(set, 'records.jsonl');
  const background = ['asked/one', 'reach/large'].flatMap((each) =>
    read<Background>('..', ...each.split('/'), 'records.jsonl'),
  );
  const place = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
  try {
    await using memory = await openCore({ db: join(place, 'copies.db') }, loadOperation);
    for (const { topic, decision, reasoning, scope, title, content } of background.slice(0, BACKGROUND))
      if (decision !== undefined)
        await memory.call('decision_save', {
          text: decision,
          reasoning,
          scope,
          topic: topic && `other:${topic}`,
        });
      else await memory.call('mem_save', { title: title ?? topic, content: content ?? '' });
    const saved = new Map<string, Recorded>();
    const save = async (record: Recorded) => {
      const { key, warnings } = await saveRecord(memory, record);
      saved.set(key, record);
      return warnings;
    };
    for (const claim of claims) await saveClaim(memory, claim, claim.old, claim.old_reason);
    for (const record of records) if (record.when === 'before') await save(record);
    const late = new Map<Recorded, boolean>();
    const answered = new Map<Claim, string[]>();
    for (const claim of claims) answered.set(claim, await correct(memory, claim));
    for (const record of records)
      if (record.when === 'after')
        late.set(
          record,
          (await save(record)).some((each) => each.includes('may say what')),
        );
    const count = new Count();
    for (const [claim, warnings] of answered) {
      if (claim.half !== HALF) continue;
      const named = warnings
        .filter((each) => each.includes('still says what'))
        .map((each) => {
          const isAlso = ALSO[`${set} ${claim.id}`]?.includes(keyIn(each)) === true;
          const other = isAlso ? { claim: claim.id, role: 'twin' } : { claim: '', role: 'other' };
          return saved.get(keyIn(each)) ?? { ...other, text: each };
        });
      const after = [...late].flatMap(([record, is]) => (is && record.claim === claim.id ? [record] : []));
      count.add(claim, records, new Set([...named, ...after]));
    }
    print(`${set}, ${HALF}, records: ${count}`);
    measureLines(set, claims, records, background);
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** The same of the sentences of files, by the function that both use; not of those in places that instruct nobody. */
function measureLines(set: string, claims: Claim[], records: Recorded[], background: Background[]): void {
  const texts = [
    ...claims.flatMap((each) => [each.old, each.new]),
    ...records.map((each) => `${each.topic} ${each.text}`),
    ...background.slice(0, BACKGROUND).map((each) => `${each.topic} ${each.decision ?? each.content}`),
  ];
  const documents = new Map<string, number>();
  for (const text of texts)
    for (const term of queryTerms(text)) documents.set(term, (documents.get(term) ?? 0) + 1);
  const lines = read<Line>(set, 'lines.jsonl')
    .filter(({ role }) => role !== 'past-place')
    .map((line) => ({ ...line, text: line.sentence }));
  const count = new Count();
  const readings = readSentences(lines);
  for (const claim of claims.filter(({ half }) => half === HALF)) {
    const correction: Correction = { old: claim.old, next: claim.how === 'replaced' ? claim.new : undefined };
    const of = new Map(termsToCount(correction).map((term) => [term, documents.get(term) ?? 0]));
    const twins = stillSays(correction, readings, { documents: texts.length, of });
    count.add(claim, lines, new Set(twins.flatMap(({ at }) => lines[at] ?? [])));
  }
  print(`${set}, ${HALF}, sentences of files: ${count}`);
}

/** A record as a warning names it: `#12 “Title”: …`, `memo ID: …`, `topic: …`. */
const keyIn = (warning: string) => {
  const named = warning.slice(warning.indexOf(': ') + 2);
  return /^(?:#\d+|memo [\w-]+)/.exec(named)?.[0] ?? named.slice(0, named.indexOf(': '));
};

async function saveRecord(memory: Memory, { kind, topic, text, reason, scope }: Recorded) {
  if (kind === 'memo') {
    const { infoId } = (await memory.call('memo_save', { fullText: text })) as { infoId: string };
    return { key: `memo ${infoId}`, warnings: [] };
  }
  if (kind === 'note') {
    const { id, warnings = [] } = (await memory.call('mem_save', { title: topic, content: text })) as {
      id: number;
      warnings?: string[];
    };
    return { key: `#${id}`, warnings };
  }
  const decision = { topic, decision: text, scope, ...(reason && { reasoning: reason }) };
  const { warnings } = (await memory.call('mama_save', decision)) as { warnings: string[] };
  return { key: topic, warnings };
}

async function saveClaim(memory: Memory, { kind, topic, scope }: Claim, text: string, reason: string) {
  const saved =
    kind === 'note'
      ? await memory.call('mem_save', { title: topic, content: text, topic_key: topic })
      : await memory.call('mama_save', {
          topic,
          decision: text,
          scope,
          ...(reason && { reasoning: reason }),
        });
  return (saved as { warnings?: string[] }).warnings ?? [];
}

async function correct(memory: Memory, claim: Claim): Promise<string[]> {
  const { how, topic, new_reason: reason } = claim;
  if (how === 'replaced') return saveClaim(memory, claim, claim.new, reason);
  const done =
    how === 'failed'
      ? await memory.call('mama_update', { id: topic, outcome: 'failed', reason })
      : await memory.call('decision_revise', { id: topic, withdrawn: true, reasoning: reason });
  return (done as { warnings?: string[] }).warnings ?? [];
}

for (const set of given.length > 0 ? given : ['a', 'b', 'c']) await measure(set);
