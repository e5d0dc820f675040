import { stopwords as common } from '@orama/stopwords/english';
import { eng, jpn, kor, zho } from 'stopword';

/** English stop words with contractions, from two published lists, since each lacks some. */
export const ENGLISH: readonly string[] = [...new Set([...eng, ...common])];

/** Stop words of all languages that keywords are taken from. */
export const EVERY_LANGUAGE: readonly string[] = [...ENGLISH, ...kor, ...jpn, ...zho];
