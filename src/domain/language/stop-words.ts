import { stopwords as common } from '@orama/stopwords/english';
import { eng } from 'stopword';

/** English stop words with contractions, from two published lists, since each lacks some. */
export const ENGLISH: readonly string[] = [...new Set([...eng, ...common])];
