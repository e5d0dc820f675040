import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

/** Words that had to be read twice, each with what to write instead (docs/decisions: the field's standard terms). */
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
];
const FILES = globSync(['src/**/*.{ts,tsx,cjs,css}', 'docs/**/*.md', 'skills/**/*.md', '*.md'])
  .filter((file) => !/\.test\.tsx?$/.test(file) && file !== 'CHANGELOG.md')
  .sort();

/** Lines that may keep a word, each as `file: line`. Take one out when its sentence is mended; put none in. */
const ALLOWED = 'test/fixtures/allowed-words.txt';
/** How many lines the list has at most. It may only shrink: lower the number with the list. */
const AT_MOST = 0;

const allowed = readFileSync(ALLOWED, 'utf8').split('\n').filter(Boolean);
const found = FILES.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const word = WORDS.find(([word]) => word.test(line));
      return word ? [{ line: `${file}: ${line.trim()}`, word }] : [];
    }),
);

describe('words', () => {
  it('[B-3] texts and comments are in words that are understood at once', () => {
    const refused = found
      .filter(({ line }) => !allowed.includes(line))
      .map(({ line, word: [word, instead] }) => `${line}\n    ${word.source}: write ${instead}`);
    assert.deepEqual(refused, []);
  });

  it('[B-3] the list of allowed lines only shrinks', () => {
    const lines = new Set(found.map(({ line }) => line));
    assert.deepEqual(
      allowed.filter((line) => !lines.has(line)),
      [],
      `these are mended: take them out of ${ALLOWED}`,
    );
    assert.equal(allowed.length, AT_MOST);
  });
});
