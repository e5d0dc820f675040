import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../domain/text/digest.ts';
import { writeMeta } from '../store/meta.ts';
import type { Tx } from '../store/tx.ts';
import { type Counts, countsOf, factsLike, factsOf } from './facts.ts';
import { hear } from './hear.ts';
import type { Heard, Sent, Taken } from './place.ts';
import { lineOf, nothingSaid, take, takeText } from './segment.ts';
import { MACHINE, machineOf } from './sync.ts';

const markOf = ({ records, rest }: Counts) => `${records}.${sha256(rest).slice(0, 16)}`;

/**
 * What a memory says to a machine that asks for it (Y-1): {@link Sent} in a line, then a fact a line, as in a file.
 * @param after only what is new since, where nothing but records was added
 */
export async function sendFacts(tx: Tx, after: string | undefined): Promise<string> {
  const records = Number(after?.split('.')[0]);
  const now = await countsOf(tx);
  const isSince =
    records > 0 && records <= now.records && after === markOf({ ...(await countsOf(tx, records)), records });
  const hasNew = !isSince || records < now.records;
  const facts = hasNew ? await factsOf(tx, isSince ? { after: records } : undefined) : new Map();
  const machine = await machineOf(tx);
  await writeMeta(tx, MACHINE, machine);
  const sent: Sent = { machine, after: markOf(now), isWhole: !isSince };
  return `${JSON.stringify(sent)}\n${[...facts.values()].map(lineOf).join('')}`;
}

/** Takes in what a machine says (Y-1), as strictly as from a folder. @param text a fact a line */
export async function takeFacts(tx: Tx, text: string): Promise<Taken & { heard: Heard }> {
  const then = await countsOf(tx);
  const said = nothingSaid();
  takeText(said, text, 'what was said');
  const ours = await factsLike(tx, said.facts);
  const news = said.facts;
  said.facts = new Map(ours);
  for (const fact of news.values()) take(said, fact, 'what was said');
  const heard = await hear(tx, said.facts, ours);
  const remaining = heard.blanked.remaining.map(
    ({ what, id }) => `${what} ${id} there has what was blanked, too: "precedent redact ${id} --text …".`,
  );
  // Where hearing it changed anything else here, whoever said it has to hear that.
  const now = heard.bringsNew ? await factsLike(tx, news) : ours;
  const isAsSaid = [...now].every(([name, fact]) => isDeepStrictEqual(fact, said.facts.get(name)));
  const before = markOf(then);
  const after = isAsSaid ? markOf(await countsOf(tx)) : before;
  return { before, after, warnings: [...said.skipped, ...remaining], heard };
}
