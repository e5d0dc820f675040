import { stopwords as common } from '@orama/stopwords/english';
import { eng, jpn, kor, zho } from 'stopword';

/** English words that tell nothing, contractions included; two published lists, since each lacks some. */
export const ENGLISH: readonly string[] = [...new Set([...eng, ...common])];

/** Those of the languages that keywords are taken from. */
export const EVERY_LANGUAGE: readonly string[] = [...ENGLISH, ...kor, ...jpn, ...zho];
