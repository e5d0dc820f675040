/*
 * Every number that ranking depends on, with its effect and the measurement that chose it. `npm run bench:retrieval`
 * says whether another value finds better; docs/decisions/ has the numbers. Raising or lowering one is enough: what is
 * stored in an index takes part in that index's version (see store/search/reindex.ts), so that every memory rebuilds it.
 */

/**
 * How much a hit in each column counts in BM25: a word of a title tells more than one of a long text. PostgreSQL stores
 * these with each posting, SQLite applies them when it is asked. Chosen on this project's own set (ADR 0006).
 */
export const COLUMN_WEIGHTS = { title: 3, body: 1 } as const;

/**
 * BM25's own constants: how fast repeating a word stops counting, how much length counts against a document, and the
 * least information of a word that stands almost everywhere. They are those of SQLite's FTS5, which takes no others:
 * https://sqlite.org/fts5.html#the_bm25_function. Changing one parts the two engines (ADR 0027).
 */
export const BM25 = { k1: 1.2, b: 0.75, leastInformation: 1e-6 } as const;

/** A question keeps this many of its rarest terms: many common ones cost a lot and tell little (ADR 0006). */
export const QUERY_TERMS = 32;

/**
 * How many BM25 hits are ranked anew. Larger windows gain less than 0.003 (ADR 0021); what stands around the hits gains
 * far more.
 */
export const WINDOW = 100;
/** How many times more of the hits that pass a filter are read each time the window holds too few (ADR 0025). */
export const GROWTH = 8;
/** Answers looked for however few are asked for: what comes first seldom depends on the limit (ADR 0021). */
export const ENOUGH = 25;

/**
 * What a record gains from its context, as shares of the scores around it. Chosen on long conversations (LoCoMo) at turn
 * level, checked on this project's own set (ADR 0021).
 */
export const SHARES = {
  /** Of the record saved directly before and after it in the same session. */
  next: 0.4,
  /** Of those two away. */
  second: 0.2,
  /** Of what it is related to, when that answers too. */
  related: 0.2,
  /** Of the best record's score, by how much of the question its session answers as a whole. */
  session: 0.5,
  /** Of a ground's score, for the decision it stands under. */
  evidence: 0.5,
} as const;
/** Links followed at most from the best hits: a hub does not bring in everything. */
export const LINKS_FOLLOWED = 1_000;

/** Records looked at for their meaning (ADR 0023). */
export const NEAREST = 30;
/** The least cosine of a record that is near: what is farther is noise (ADR 0023). */
export const NEAR = 0.25;
/** Reciprocal rank fusion's constant (Cormack, Clarke and Büttcher, SIGIR 2009): how little the first ranks stand out. */
export const RRF = 60;

/** A new decision looks for close ones with this many of its rarest terms: a save stays fast (ADR 0007). */
export const SIMILAR_TERMS = 8;
/** Close decisions named when saving are at least this similar, 0..1: 0.3 found nothing in small memories (ADR 0007). */
export const SIMILAR_FLOOR = 0.2;
/** Close decisions named when saving. */
export const SIMILAR_COUNT = 3;
/** From this similarity on, a decision that failed is so close that saving warns of it (ADR 0007). */
export const SAME_AGAIN = 0.6;
/** Versions at most that are read to tell a chain's own words from those of others. */
export const CHAIN_LOOKED_AT = 100;

/** The share of its budget that `recall` gives to what binds, while something relevant waits (ADR 0022). */
export const BINDING_SHARE = 0.6;
/** Tokens that an entry of `recall` seldom falls below: as many entries are looked for as the budget could hold. */
export const SMALLEST_ENTRY = 30;
/** Entries that `recall` looks for at most, however large its budget. */
export const MOST_ENTRIES = 500;
