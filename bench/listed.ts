import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { openCore } from '../src/memory/core.ts';
import { forModel } from '../src/memory/for-model.ts';
import { loadOperation } from '../src/operations/load.ts';
import { print, spread } from './measure.ts';
import { historyCases, meantCalls } from './retrieval/history.ts';

/**
 * Tokens (o200k) that a decision takes in a list for a model, and one with its history (T-18): `decision_retrieve` of each scope,
 * `decision_get` of each of its decisions. And how often a text of a chain is said more than once there.
 */
type Listed = { id: string; scope: string; topic: string | null };

const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  print(
    '| memory | listed | median | p90 | most | over 80 | with history: median | a text twice |\n|---|---|---|---|---|---|---|---|',
  );
  for (const { name, fill } of historyCases(
    ['backend', 'product', 'farm'].map((each) => `bench/data/${each}.jsonl`),
  )) {
    await using memory = await openCore({ db: join(folder, `${name}.db`) }, loadOperation);
    await fill(async () => meantCalls((tool, input) => memory.call(tool, input)));
    const { domains } = (await memory.call('decision_retrieve', {})) as { domains: { domain: string }[] };
    const listed: number[] = [];
    const whole: number[] = [];
    let twice = 0;
    const seen = new Set<string>();
    for (const { domain } of domains) {
      const result = await memory.call('decision_retrieve', { domain, limit: 1_000 });
      const { decisions } = forModel('decision_retrieve', result) as { decisions: Listed[] };
      for (const decision of decisions) {
        if (seen.has(decision.id)) continue;
        seen.add(decision.id);
        listed.push(countTokens(JSON.stringify(decision)));
        const one = JSON.stringify(
          forModel('decision_get', await memory.call('decision_get', { id: decision.id })),
        );
        whole.push(countTokens(one));
        const texts = [...one.matchAll(/"(?:decision|text)":("(?:[^"\\]|\\.)*")/g)].map(([, text]) => text);
        if (new Set(texts).size < texts.length) twice += 1;
      }
    }
    const { median, p90 } = spread(listed);
    const over = listed.filter((tokens) => tokens > 80).length;
    print(
      `| ${name} | ${listed.length} | ${median} | ${p90} | ${Math.max(...listed)} | ${over} | ${spread(whole).median} | ${twice} |`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
