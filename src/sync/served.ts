import { isDeepStrictEqual } from 'node:util';
import { type Chunks, linesOf } from '../domain/text/lines.ts';
import { writeMeta } from '../store/meta.ts';
import type { Tx } from '../store/tx.ts';
import { remainderOf } from './blank.ts';
import { countsOf, factsSince, isTold } from './counts.ts';
import { type Counts, factsLike, factsOf } from './facts.ts';
import { hear } from './hear.ts';
import { keep, keptIn, tooMany } from './kept.ts';
import type { Heard, Said, Sent, Taken } from './place.ts';
import { LONGEST_LINE, lineOf, nothingSaid, take, takeLines } from './segment.ts';
import { MACHINE, machineOf } from './sync.ts';
import { readKept } from './updated.ts';

/** The name of a request's facts in a message. */
const SAID = 'what was said';
const markOf = ({ records, changes, relations, rest }: Counts) =>
  [records, changes, relations, rest].join('.');
/** The counts in a mark; one of an earlier version has none. */
function countsIn(mark: string): Counts | undefined {
  const [, first, second, third, rest = ''] = mark.match(/^(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.(\w+)$/) ?? [];
  const [records = 0, changes = 0, relations = 0] = [first, second, third].map((each) => Number(each ?? 0));
  return records > 0 ? { records, changes, relations, rest } : undefined;
}

/**
 * The facts of a memory for a machine that asks (Y-1): {@link Sent} in a line, then a fact a line, as in a file.
 * @param after only what is new since, where numbers tell it
 */
export async function sendFacts(tx: Tx, after = ''): Promise<string> {
  await readKept(tx);
  const now = await countsOf(tx);
  const since = countsIn(after);
  const isSince = since !== undefined && (await isTold(tx, since));
  const news = () => (isSince ? factsSince(tx, since) : factsOf(tx));
  const facts = after === markOf(now) ? new Map() : await news();
  const machine = await machineOf(tx);
  await writeMeta(tx, MACHINE, machine);
  const sent: Sent = { machine, after: markOf(now), isWhole: !isSince };
  const kept = isSince ? [] : (await keptIn(tx)).values();
  return `${JSON.stringify(sent)}\n${[...facts.values(), ...kept].map(lineOf).join('')}`;
}

/** The facts that a machine sent, checked as strictly as those of a folder. @param sent a fact a line */
export async function saidIn(sent: Chunks): Promise<Said> {
  const said = nothingSaid();
  await takeLines(said, linesOf(sent, LONGEST_LINE), SAID);
  return said;
}

/** Takes in the facts of a machine (Y-1). @param read as {@link saidIn} gives it */
export async function takeFacts(tx: Tx, read: Said): Promise<Taken & { heard: Heard }> {
  await readKept(tx);
  const then = await countsOf(tx);
  const news = read.facts;
  const ours = await factsLike(tx, news);
  const said = { ...read, facts: new Map(ours), skipped: [...read.skipped] };
  for (const fact of news.values()) take(said, fact, SAID);
  const heard = await hear(tx, said.facts, ours);
  const { left } = await keep(tx, read.kept, remainderOf([said.facts]));
  const remaining = heard.blanked.remaining.map(
    ({ what, id }) =>
      `${what} ${id} there still holds the blanked text: remove it with "precedent redact ${id} --text …".`,
  );
  // If receiving changed anything else here, the sender must receive that.
  const now = heard.bringsNew ? await factsLike(tx, news) : ours;
  const isAsSaid = [...now].every(([name, fact]) => isDeepStrictEqual(fact, said.facts.get(name)));
  const before = markOf(then);
  const after = isAsSaid ? markOf(await countsOf(tx)) : before;
  return { before, after, warnings: [...said.skipped, ...tooMany(left), ...remaining], heard };
}
