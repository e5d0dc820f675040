import { sql } from 'kysely';
import { keywordsIn } from '../../domain/language/keywords.ts';
import { memosAt, type StoredMemo } from '../../store/memos/memo.ts';
import { eligibleRecords, searchEverything } from '../../store/search/everything.ts';
import type { Tx } from '../../store/tx.ts';

/** Answers of the search that are compared, and older memos that are named at most. */
const LOOKED_AT = 10;
const MOST_MEMOS = 3;
/** The share of the words of two texts that both have, and words that both have at least: one alone is a subject. */
const MOST = 0.5;
const TELLING = 2;

/**
 * The memo that says exactly this, and those that share most words with it, the likest first (RE-10).
 * @param except the number of one that is about to be replaced
 */
export async function memosLike(
  tx: Tx,
  text: string,
  except: number | undefined,
): Promise<{ same: StoredMemo | undefined; older: StoredMemo[] }> {
  const eligible = sql`${eligibleRecords(undefined)} and r.kind = 'memo'`;
  const { found } = await searchEverything(tx, text, { limit: LOOKED_AT, isHurried: true, eligible });
  const seqs = found.map(({ matchedSeq }) => matchedSeq).filter((seq) => seq !== except);
  const memos = await memosAt(tx, seqs);
  const words = wordsIn(text);
  const older = memos
    .map((memo) => ({ memo, share: shareOf(words, wordsIn(memo.fullText)) }))
    .filter(({ share }) => share > MOST)
    .sort((one, other) => other.share - one.share || other.memo.seq - one.memo.seq)
    .slice(0, MOST_MEMOS);
  return {
    same: memos.find(({ fullText }) => plain(fullText) === plain(text)),
    older: older.map(({ memo }) => memo),
  };
}

const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();
const wordsIn = (text: string) => new Set(keywordsIn(text, Number.POSITIVE_INFINITY));

function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((word) => other.has(word)).length;
  return both < TELLING ? 0 : (2 * both) / (one.size + other.size);
}
