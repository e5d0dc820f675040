import { setTimeout as pause } from 'node:timers/promises';
import { invalid } from '../domain/error.ts';
import { filterOf } from '../domain/filter/parse.ts';
import { Connection } from '../memory/connection.ts';
import type { Result } from '../operations/index.ts';
import { viewOf } from '../operations/load.ts';
import type { Given } from './command.ts';
import { openForServer } from './open-for-server.ts';
import { endQuietly, type Printing, print } from './output/print.ts';
import type { PlaceOptions } from './place.ts';

/** How often it is asked whether anything is new, in milliseconds. */
const EVERY = 1_000;
/** What is shown at first, unless a number is given. */
const FIRST = 10;
/** A page of what is new. */
const PAGE = 200;

type Page = Result<'timeline'>;
type Happened = Page['entries'][number];

/** Shows the log as it grows, the newest last, until it is ended. A memory that is not there yet is waited for. */
export async function follow(given: Given, place: PlaceOptions, how: Printing): Promise<never> {
  if (given.asOf !== undefined)
    throw invalid.both_given(
      'Expected --follow or --at, found both: --follow shows what happens from now on.',
    );
  const connection = new Connection(() => openForServer(place, new Set()));
  const filter = Array.isArray(given.filter) ? filterOf(given.filter as string[]) : given.filter;
  const asked = { ...given, ...(filter !== undefined && { filter }) };
  const ask = async (page: object) => (await connection.call('timeline', { ...asked, ...page })) as Page;
  const show = async (entries: Happened[]) => {
    if (entries.length === 0) return;
    const oldestFirst = entries.toReversed();
    const view = await viewOf('timeline', { entries: oldestFirst });
    await print(
      { report: { entries: oldestFirst }, view },
      { ...how, jsonl: how.jsonl || how.json, pager: false },
    );
  };
  endQuietly();
  let state = await stateOf(connection);
  let { entries } = await ask({ limit: given.limit ?? FIRST });
  await show(entries);
  for (;;) {
    await pause(EVERY);
    const now = await stateOf(connection, state);
    if (now === state) continue;
    state = now;
    const fresh = await newerThan(entries[0], ask);
    await show(fresh);
    entries = [...fresh, ...entries].slice(0, 1);
  }
}

/** What happened since an entry, the newest first. */
async function newerThan(last: Happened | undefined, ask: (page: object) => Promise<Page>) {
  const fresh: Happened[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask({ limit: PAGE, ...(cursor && { cursor }) });
    const at = page.entries.findIndex((each) => last !== undefined && isSame(each, last));
    fresh.push(...(at === -1 ? page.entries : page.entries.slice(0, at)));
    if (at !== -1) return fresh;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return fresh;
}

/** What became of a decision may change later; that it was decided stays. */
function isSame(one: Happened, other: Happened): boolean {
  return one.at === other.at && one.what === other.what && one.id === other.id;
}

async function stateOf(connection: Connection, state?: string): Promise<string> {
  const { state: now } = await connection.call('changed_since', state === undefined ? {} : { state });
  return now as string;
}
