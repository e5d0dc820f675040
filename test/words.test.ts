import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

/** Words that had to be read twice, each with what to write instead. */
const WORDS: [word: RegExp, instead: string][] = [
  [/\b(stands|stood)\b/i, 'active, current; is in'],
  [/\btold\b/i, 'shown, sent, injected, reported'],
  [/\bbeside\b/i, 'next to, in addition to, alongside'],
  [/(?<!there )\b(is|are|was|were) none\b/i, 'is not a …, there is no …'],
  [/\b(take|takes|took|taken|taking) back\b/i, 'undo, retract'],
  [/\b(rest|rests|rested) on\b/i, 'depend on'],
  [/\bof which\b/i, 'a sentence of its own'],
  [/\b(give|gives|gave|giving) way\b/i, 'is overridden'],
  [/\barrivals?\b/i, 'import'],
  [/\bknown by\b/i, 'has the key, is identified by'],
  [/\bto be looked at again\b/i, 'due for review'],
  [/\bspoken of\b/i, 'mentioned'],
  [/\bnobody named\b/i, 'an unnamed author'],
  [/\bwhoever is on the way\b/i, 'others on the network'],
];
const FILES = globSync(['src/**/*.{ts,tsx,cjs,css}', 'docs/**/*.md', 'skills/**/*.md', '*.md'])
  .filter((file) => !/\.test\.tsx?$/.test(file) && file !== 'CHANGELOG.md')
  .sort();

const found = FILES.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [word, instead] = WORDS.find(([word]) => word.test(line)) ?? [];
      return word ? [`${file}: ${line.trim()}\n    ${word.source}: write ${instead}`] : [];
    }),
);

it('[B-3] texts and comments are in words that are understood at once', () => {
  assert(FILES.length > 500);
  assert.deepEqual(found, []);
});
