/*
 * Every number that ranking depends on, with its effect and the measurement that chose it. `npm run bench:retrieval`
 * says whether another value finds better; docs/decisions/ has the numbers. Changing a number here is enough: numbers
 * that an index stores are part of that index's version (store/stale.ts), so that every memory rebuilds it.
 */

/**
 * How much a hit in each column counts in BM25: a word of a title tells more than a word of a long text. PostgreSQL
 * stores these with each posting, SQLite applies them in the query. Chosen on this project's own set (ADR 0006).
 */
export const COLUMN_WEIGHTS = { title: 3, body: 1 } as const;

/**
 * BM25's own constants: how fast repeating a word stops counting, how much length counts against a document, and the
 * least information of a word that almost every document has. SQLite's FTS5 has the same ones built in:
 * https://sqlite.org/fts5.html#the_bm25_function. Changing one makes the two engines disagree (ADR 0027).
 */
export const BM25 = { k1: 1.2, b: 0.75, leastInformation: 1e-6 } as const;

/**
 * A question keeps this many of its rarest terms: many common ones cost a lot and tell little (ADR 0006). One in several
 * wordings finds as well with 32 as with 64.
 */
export const QUERY_TERMS = 32;
/** Where these find nothing, the next ones are looked at: so many terms of a question at most, however long it is (Z-5). */
export const FOUND_TERMS = 16 * QUERY_TERMS;

/** Words of a question that may be typing errors: so many of those that no record has. */
export const MISTYPED = 4;
/** The share of the records below which a word counts as not there. */
export const SELDOM = 0.001;
/** Other words that are searched for instead of one, at most. */
export const OTHER_WORDS = 3;
/** The weight of such a word in the ranking, as a share of its weight if it had been asked for. */
export const OTHER_WEIGHT = 0.6;

/** How many BM25 hits are re-ranked. Larger windows gain less than 0.003 (ADR 0053); neighbours gain far more. */
export const WINDOW = 100;
/** The factor by which the window grows while it holds too few hits that pass the filter (ADR 0053). */
export const GROWTH = 8;
/** The least number of answers to look for, so that the first answer seldom depends on the limit (ADR 0053). */
export const ENOUGH = 25;

/**
 * How much a record gains from its context, as shares of the scores around it. Chosen on long conversations (LoCoMo) at
 * turn level, checked on this project's own set (ADR 0053).
 */
export const SHARES = {
  /** Of the record saved directly before and after it in the same session. */
  next: 0.4,
  /** Of the records saved two before and two after it. */
  second: 0.2,
  /** Of the related records that answer the question, too. */
  related: 0.2,
  /** Of the best record's score, times the share of the question that its whole session answers. */
  session: 0.5,
  /** Of the score of a piece of evidence, for its decision. */
  evidence: 0.5,
} as const;
/**
 * The share of its score that a withdrawn decision keeps (Q-7, V-2): an active one that answers as well comes first. 0.8
 * finds withdrawn ones that 0.4 misses and moves no active one; 0.9 pushes active ones down (ADR 0053).
 */
export const WITHDRAWN = 0.8;
/** Words of a record that can answer a question together (ADR 0053): 15 to 40 find alike. */
export const STRETCH = 30;
/** Tokens of a body in which a stretch is looked for: a record may be megabytes long. */
export const STRETCH_TOKENS = 1_000;
/** A record of more words gains less from its context, in proportion: it speaks for itself. 50 to 200 find alike (ADR 0053). */
export const SHORT = 80;
/** Links followed at most from the best hits, so that a hub does not bring in everything. */
export const LINKS_FOLLOWED = 1_000;

/**
 * The least share of a question of a few words that one of its first answers has; of 16 times as many words half of that.
 * Where none has it, nothing recorded answers the question: `node bench/finding.ts` says of how many that is said wrongly,
 * and rightly (T-9).
 */
export const ANSWERED = 0.285;
/** Words of a short question: of fewer, no larger share is asked. */
export const SHORTEST = 3;
/** So many of the first answers are checked: one may be the first only for what is around it. */
export const BEST = 3;
/** Answers that a search always shows unasked, where it has them. */
export const FEW_SHOWN = 3;
/** Records that a search names where nothing answers (RE-8). */
export const NEAREST_NAMED = 10;
/**
 * An answer with less than this share of the best one's score is not shown unasked after the first few. It leaves 4
 * results of 7 to 9; with a half, a record that is found by what is around it is missed (T-9).
 */
export const TELLING = 1 / 3;

/** Records nearest by meaning that join the ranking (ADR 0023). */
export const NEAREST = 30;
/** The least cosine of a record that counts as near: farther records are noise (ADR 0023). */
export const NEAR = 0.25;
/**
 * The gain of the nearest record by its meaning, as a share of the best score by words: with a model that found the text of
 * every title. More puts what it finds nearest before what has all the words (ADR 0023).
 */
export const FULL = 0.9;
/** The same with a model that was not tried. With more, a bad one loses more than half a point (ADR 0053). */
export const UNTRIED = 0.2;
/** Records that a model is tried on (ADR 0023): at most so many, and at least so many, since fewer say nothing. */
export const TRIED = { most: 64, least: 8 } as const;
/** A title finds its own text if that is among so many nearest. */
export const FOUND = 3;
/** The share of titles, beyond chance, up to which a model counts for nothing (ADR 0023). */
export const UNSKILLED = 0.2;

/*
 * Which decisions a save names (ADR 0043): chosen on thirty written pairs (bench/data/similar/tune.json), checked on
 * thirty others.
 */

/** The weight of a word of a topic's area (`auth` of `auth:session`): all topics of the area have it. */
export const AREA_WEIGHT = 0.5;
/** The weight of a word of the reasoning: why is about more than what. 0.5 to 1 name the same pairs. */
export const REASONING_WEIGHT = 0.7;
/** Characters of a reasoning that are read: what comes later is detail. */
export const REASONING_READ = 2_000;
/** Documents without any of the words that every memory counts in: three records do not tell what is rare. */
export const UNHEARD_DOCUMENTS = 20;
/** The number of documents assumed for a word that was not counted. */
export const RARE = 2;
/** A word in this many documents tells nothing, and is not counted further. */
export const COMMON = 500;
/** A word in more than this share of the documents, and in more than `FEW`, finds nothing by itself. */
export const LARGE_SHARE = 0.1;
export const FEW = 10;
/** Similar decisions are looked for by at most this many of the rarest words … */
export const SIMILAR_TERMS = 16;
/** … that together are in at most this many documents, so that the cost does not grow with the memory. */
export const SIMILAR_DOCUMENTS = 300;
/** This many hits are compared word by word. */
export const SIMILAR_COMPARED = 12;
/** The least closeness, 0..1, of a decision that a save names: unrelated pairs reach 0.145, neighbours begin at 0.165. */
export const SIMILAR_FLOOR = 0.16;
/** Similar decisions that a save names at most. */
export const SIMILAR_COUNT = 3;
/** From this closeness of the two rules alone, without topic and reasons, a save warns of one that failed. */
export const SAME_AGAIN = 0.35;
/**
 * A save warns of a decision on another topic from this closeness on (T-6), sooner of an axis or a lock. Chosen for few
 * false warnings: `node bench/contradictions.ts` measures.
 */
export const CONTRADICTION = { binding: 0.2, ordinary: 0.33 };
/**
 * Rules and failures that a save is to be checked against (RE-9), as `node bench/asked/saves.ts` measures: `most` at once, and where
 * one is `near`, in nats, at least a `few`. The same scope tells `scope` nats. Of each sort the newest `looked` are looked at, and
 * of a reasoning the first characters are `read`.
 */
export const UNCOMPARED = { most: 6, few: 3, scope: 2, near: 5, looked: 6, read: 150 };

/** The share of its budget that `recall` gives to binding decisions while relevant records wait (ADR 0022). */
export const BINDING_SHARE = 0.6;
/** Tokens of a small entry of `recall`: it looks for as many entries as the budget could hold of these. */
export const SMALLEST_ENTRY = 30;
/** Entries that `recall` looks for at most, however large its budget. */
export const MOST_ENTRIES = 500;
