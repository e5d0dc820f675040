import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** Runs every benchmark, one after the other, and writes what they print into bench/results.md. */
const PARTS: [string, string][] = [
  ['Decisions, start and memory', 'bench/decisions.ts'],
  ['Observations and their context', 'bench/context.ts'],
  ['Search', 'bench/search.ts'],
  ['Keywords and memos', 'bench/memos.ts'],
  ['Growth', 'bench/growth.ts'],
  ['Beside the reference memory server', 'bench/peer.ts'],
  ['Where the time goes', 'bench/profile.ts'],
];

const results = [
  '# What was measured',
  '',
  'Written by `npm run bench`; each part also runs alone (`node bench/search.ts`). The floor is the same work in raw prepared SQL on the same driver and file, timed in turns with the product in the same run. Times are milliseconds unless a row says otherwise; ratios are what compares between machines. `node bench/engines.ts` compares PostgreSQL with SQLite (docs/scaling.md has its table), `npm run bench:retrieval` measures what is found.',
];
for (const [title, file] of PARTS) {
  results.push('', `## ${title}`, '', `\`node ${file}\``, '', (await run(file)).trim());
}
writeFileSync('bench/results.md', `${results.join('\n')}\n`);

function run(file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.on('data', (data) => {
      printed += data;
      process.stdout.write(data);
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve(printed) : reject(new Error(`${file} ended with ${code}`)),
    );
  });
}
