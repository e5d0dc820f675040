import { shortHash } from '../domain/text/short-hash.ts';
import { readMeta, writeMeta } from './meta.ts';
import { query } from './statements.ts';
import type { Tx } from './tx.ts';

/** The prefix of keys that say which decisions a session was asked to check a save against; it names nobody. */
const KEYS = 'listed:';
const keyOf = ({ writer }: Tx) => `${KEYS}${shortHash(writer.conversation ?? writer.session)}`;
/** The command line and a server over HTTP have sessions without an end: after a day, in milliseconds, all is new to them. */
const DAY = 86_400_000;
/** Decisions that are remembered of a session at most. */
const MOST = 500;

/** The first versions of the chains that this session was listed (RE-9). */
export async function readListed(tx: Tx): Promise<ReadonlySet<string>> {
  const [at = '', ...roots] = (await readMeta(tx, keyOf(tx)))?.split('\n') ?? [];
  return new Set(at > oldest(tx) ? roots : []);
}

/** Remembers that this session was listed more chains. @param before what {@link readListed} gave */
export async function addListed(tx: Tx, before: ReadonlySet<string>, roots: string[]): Promise<void> {
  if (before.size === 0)
    await query(tx)`delete from meta where key >= ${KEYS} and key < ${`${KEYS}~`} and value < ${oldest(tx)}`;
  const kept = [...new Set([...before, ...roots])].slice(-MOST);
  await writeMeta(tx, keyOf(tx), [momentOf(tx.entered), ...kept].join('\n'));
}

/** Milliseconds UTC, as texts that sort by time. */
const momentOf = (at: number) => String(at).padStart(15, '0');
const oldest = ({ entered }: Tx) => momentOf(entered - DAY);
