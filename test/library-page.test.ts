import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { scratch } from './support/engines.ts';
import { examplesOf } from './support/pages.ts';
import { ROOT } from './support/program.ts';

const PAGE = 'docs/library.md';
const recipes = examplesOf(PAGE).map(({ code }) => code);

/** Inputs as a program has them: an id from an answer, paths in a list, and a transaction without an undo. */
const WIDER = `
import { openMemory } from 'precedent-memory';
const memory = await openMemory({ db: ':memory:' });
const { entries } = await memory.recall({ task: 'x', files: ['src/a.ts'] as const });
for (const { id, kind } of entries) {
  if (kind !== 'observation') continue;
  await memory.mem.getObservation({ id });
  await memory.mem.relate({ from_id: id, to_id: 1, relation_type: 'cured_by' });
}
await memory.transaction(async (tx) => {
  // @ts-expect-error
  await tx.undo();
  return tx.tools();
});
`;

describe('the page of the library', () => {
  const folder = scratch();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules', 'precedent-memory'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const files = recipes.map((code, n) => {
    const file = join(folder, `recipe-${n + 1}.ts`);
    writeFileSync(file, code);
    return file;
  });

  it('has a recipe for each heading, and is read in ten minutes', () => {
    const text = readFileSync(PAGE, 'utf8');
    assert.equal(recipes.length, text.match(/^### \d+\. /gm)?.length);
    assert(recipes.length >= 10);
    const prose = text.replace(/^```[\s\S]*?^```$/gm, '').split(/\s+/).length;
    assert(prose <= 1500, `${prose} words besides the programs`);
  });

  for (const [n, file] of files.entries())
    it(`[LB-8] recipe ${n + 1} runs against the build and prints what its comments say`, () => {
      const shown = [...(recipes[n] ?? '').matchAll(/\/\/ → (.*)/g)].map(([, line]) => `${line}\n`);
      assert(shown.length > 0, 'it prints something');
      assert.doesNotMatch(recipes[n] ?? '', /\bawait using\b/, 'Node 22 does not know it');
      const printed = execFileSync(process.execPath, [file], {
        cwd: folder,
        encoding: 'utf8',
        stdio: 'pipe',
      });
      assert.equal(printed, shown.join(''));
    });

  it('[LB-7] [LB-8] the recipes compile in a strict project, and ids and files as answers and lists have them', () => {
    const wider = join(folder, 'wider.ts');
    writeFileSync(wider, WIDER);
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const options =
      '--strict --noUncheckedIndexedAccess --noEmit --module nodenext --target es2023 --lib es2023,esnext.disposable --types node --pretty false';
    const types = ['--typeRoots', join(ROOT, 'node_modules', '@types')];
    execFileSync(process.execPath, [tsc, ...options.split(' '), ...types, ...files, wider], {
      cwd: folder,
      encoding: 'utf8',
    });
  });
});
