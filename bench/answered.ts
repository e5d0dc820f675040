import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCore } from '../src/memory/core.ts';
import { loadOperation } from '../src/operations/load.ts';
import { print } from './measure.ts';
import { historyCases, meantCalls } from './retrieval/history.ts';
import type { Question } from './retrieval/score.ts';

/**
 * Of how many questions a search says that nothing recorded answers them (T-9): of those whose right record is among the
 * first three, and of those that were asked of another project's memory. The number in src/domain/ranking/weights.ts was chosen
 * on others' questions (bench/finding.ts).
 */
const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  const files = ['backend', 'product', 'farm'].map((name) => `bench/data/${name}.jsonl`);
  const projects = await Promise.all(
    historyCases(files).map(async ({ name, fill }) => {
      let memory: Awaited<ReturnType<typeof openCore>> | undefined;
      const questions = await fill(async () => {
        await memory?.close();
        const opened = await openCore({ db: join(folder, `${name}.db`) }, loadOperation);
        memory = opened;
        return meantCalls((tool, input) => opened.call(tool, input));
      });
      return { name, questions, memory: memory as NonNullable<typeof memory> };
    }),
  );
  print(
    '| memory | half | answerable | said to have no answer | without an answer | said so |\n|---|---|---|---|---|---|',
  );
  for (const { name, questions, memory } of projects) {
    const ask = async ({ tool, query, expected }: Question) => {
      const { results, answered } = await memory.call(tool === 'recall' ? 'search' : tool, {
        query,
        limit: 3,
      });
      const ids = (results as { id: string | number }[]).map(({ id }) =>
        typeof id === 'number' ? `#${id}` : id,
      );
      const isFound = expected.some((right) => ids.includes(right) || ids.includes(right.replace('#', '')));
      return { isFound, isSaid: answered === false };
    };
    const others = projects.filter((each) => each.name !== name).flatMap((each) => each.questions);
    for (const half of [0, 1]) {
      const inHalf = (_: Question, at: number) => at % 2 === half;
      const own = (await Promise.all(questions.filter(inHalf).map(ask))).filter(({ isFound }) => isFound);
      const foreign = await Promise.all(others.filter(inHalf).map(ask));
      const share = (of: { isSaid: boolean }[]) =>
        `${((100 * of.filter(({ isSaid }) => isSaid).length) / of.length).toFixed(1)} %`;
      print(
        `| ${name} | ${half === 0 ? 'first' : 'second'} | ${own.length} | ${share(own)} | ${foreign.length} | ${share(foreign)} |`,
      );
    }
    await memory.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
