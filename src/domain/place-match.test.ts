import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { marksIn, placesFrom, problemOfPlaces } from './place.ts';
import { heirOfPattern, namedAmong, nearest } from './place-match.ts';

describe('places of decisions', () => {
  it('[F-1] are kept as patterns from the top folder on, a line each, once', () => {
    assert.equal(placesFrom(' ./src/a.ts, src\\b.ts\nsrc/a.ts\n\n'), 'src/a.ts\nsrc/b.ts');
    assert.equal(placesFrom('문서'.normalize('NFD')), '문서');
    assert.equal(placesFrom('a,b.ts'), 'a,b.ts', 'a comma alone is part of a name');
  });

  it('[F-1] nothing outside of the repository is one, and no more than fifty', () => {
    for (const wrong of ['../x', 'a/../../b', '~/x', 'C:/x', '!src', '/', '/home/kim/shop/src/a.ts'])
      assert.match(problemOfPlaces(wrong) ?? '', /from the top folder of the repository on/, wrong);
    assert.match(
      problemOfPlaces(Array.from({ length: 51 }, (_, n) => `a${n}`).join('\n')) ?? '',
      /at most 50/,
    );
    for (const right of ['src/**', '/package.json', '*.md', 'a b/한글.ts', 'src/a.ts#open', ''])
      assert.equal(problemOfPlaces(right), undefined, right);
  });

  it('[F-1] a comment names decisions by @decision, and nothing else does', () => {
    const text =
      '// @decision auth:session.\n# @decision 인증:토큰, @decision auth:session\n/* @decision */ a@decision b @decisions c';
    assert.deepEqual(marksIn(text), ['auth:session', '인증:토큰']);
  });

  it('[F-2] match as in .gitignore, in this case of letters', () => {
    for (const [pattern, path, isNamed] of [
      ['src/store/**', 'src/store/a/b.ts', true],
      ['src/store', 'src/store/a/b.ts', true],
      ['src/store/*.ts', 'src/store/a/b.ts', false],
      ['/package.json', 'package.json', true],
      ['/package.json', 'packages/a/package.json', false],
      ['package.json', 'packages/a/package.json', true],
      ['src/A.ts', 'src/a.ts', false],
      ['src/a.ts#open', 'src/a.ts', true],
      ['a b/한글 파일.ts', 'a b/한글 파일.ts', true],
      ['src/store/**', 'src/', true],
      ['src/store/**', 'src/store/a/', true],
      ['*.md', 'docs/', false],
      ['docs/**', 'src/', false],
      ['/#a.ts', '#a.ts', true],
      ['/!a.ts', '!a.ts', true],
      ['src/#a.ts', 'src/#a.ts', true],
      ['src/#a.ts', 'src/b.ts', false],
      ['C#notes.md', 'C#notes.md', true],
      ['app/[id]/**', 'app/i/page.tsx', true],
      ['app/[slug]/page.tsx', 'app/[slug]/page.tsx', true],
    ] as const)
      assert.equal(nearest([pattern], path) !== undefined, isNamed, `${pattern} ${path}`);
  });

  it('[Z-6] no pattern takes time that grows with a power of the path, also one that came in unchecked', () => {
    const slow = `${'**/a*/'.repeat(6)}b`;
    assert.match(problemOfPlaces(slow) ?? '', /at most 2 times "\*\*"/);
    assert.equal(nearest([slow], `${'a/'.repeat(120)}c.ts`), undefined);
    assert.equal(problemOfPlaces('**/test/**/*.test.ts'), undefined);
  });

  it('[F-2] the file itself is nearest, then what says more of its path', () => {
    const patterns = ['**/*.ts', 'src/**', 'src/store/**', 'src/store/a.ts#open'];
    assert.equal(nearest(patterns, 'src/store/a.ts')?.pattern, 'src/store/a.ts#open');
    assert.equal(nearest(patterns, 'src/store/b.ts')?.pattern, 'src/store/**');
    assert.equal(nearest(patterns, 'src/b.ts')?.pattern, 'src/**');
    assert.equal(nearest(patterns, 'b.ts')?.pattern, '**/*.ts');
    const alike = ['packages/**/*.ts', 'packages/*/src/**/*.ts'];
    assert.equal(nearest(alike, 'packages/cli/src/a.ts')?.pattern, alike[1], 'begins alike, and says more');
  });

  it('[F-3] a pattern follows the files that it named, where most of them went the same way', () => {
    for (const [pattern, renames, heir] of [
      ['src/old.ts', [['src/old.ts', 'lib/new.ts']], 'lib/new.ts'],
      ['/src/old.ts#open', [['src/old.ts', 'lib/new.ts']], 'lib/new.ts#open'],
      [
        'src/store/**',
        ['a.ts', 'b/c.ts'].map((each) => [`src/store/${each}`, `lib/db/${each}`]),
        'lib/db/**',
      ],
      ['src/store', [['src/store/a.ts', 'lib/a.ts']], 'lib'],
      ['src/store/', [['src/store/a.ts', 'src/a.ts']], 'src'],
      ['src/*.md', [['src/a.md', 'docs/a.md']], 'docs/*.md'],
      ['*.md', [['a.md', 'docs/a.md']], 'docs/*.md'],
      ['app/[id]/page.tsx', [['app/[id]/page.tsx', 'app/[name]/page.tsx']], 'app/[name]/page.tsx'],
      ['src/*.md', [['src/a.md', 'src/b.md']], undefined],
      [
        'src/**',
        [
          ['src/a.ts', 'lib/a.ts'],
          ['src/b.ts', 'bin/b.ts'],
        ],
        undefined,
      ],
      [
        'src/**',
        [
          ['src/a.ts', 'lib/a.ts'],
          ['src/b.ts', ''],
        ],
        undefined,
      ],
      ['src/gone.ts', [['src/gone.ts', '']], undefined],
    ] as [string, [string, string][], string | undefined][])
      assert.equal(heirOfPattern(pattern, renames), heir, pattern);
  });

  it('[F-5] of the files of a change the same ones are named as of each by itself', () => {
    const patterns =
      '**/x.ts|a/**/x.ts|a/**|a/b/**|a/b/|/a/b/c|a/b/x.ts|a/ b|a/|/a|[ab]/x.ts|?/x.ts|*|*.ts|x.ts|/x.ts|a/b|a/b/*.ts|**/b/**|A/x.ts|한글/*|a/x.ts#open|b/**/c*|a/[b]/x.ts|[b].ts|C#x.ts|/#x|b/#x'.split(
        '|',
      );
    const paths =
      'a/b-c|a/ b|x.ts|a/x.ts|b/x.ts|a/b/x.ts|a/b/c/x.ts|b/a/x.ts|c/b/d|a/[b]/x.ts|[b].ts|C#x.ts|C|#x|b/#x|한글/y|b/cd|b/e/cd/f|xx.ts|a.ts'.split(
        '|',
      );
    for (const pattern of patterns)
      assert.deepEqual(
        namedAmong(paths)(pattern),
        paths.filter((path) => nearest([pattern], path)).sort(),
        pattern,
      );
    assert.deepEqual(namedAmong(['../a/b', 'a/b'])('../a/**'), [], 'not what came in unchecked');
    assert.deepEqual(namedAmong(['c', 'a/b/x.ts', 'a', 'a/b-c', 'a/b/x.ts'])('a/b/*'), ['a/b/x.ts']);
  });
});
