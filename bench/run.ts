import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Runs the benchmarks, one after the other, and writes what they print into bench/results.md.
 *
 *   npm run bench                              all of them
 *   npm run bench -- growth lists              only these; every other section stays as it is
 *   npm run bench -- --locomo locomo10.json    LoCoMo too, which has to be downloaded by hand
 */
const { values, positionals } = parseArgs({
  options: { locomo: { type: 'string' } },
  allowPositionals: true,
});
const RESULTS = 'bench/results.md';
const PARTS: [title: string, file: string][] = [
  ['What searches find', 'bench/retrieval.ts'],
  ['What searches find in LoCoMo', 'bench/locomo.ts'],
  ['Growth', 'bench/growth.ts'],
  ['Lists and the log', 'bench/lists.ts'],
  ['Hooks', 'bench/hooks.ts'],
  ['A batch', 'bench/batch.ts'],
  ['What is told with a prompt', 'bench/gate.ts'],
  ['How long one call keeps others waiting', 'bench/pauses.ts'],
  ['An import from another tool', 'bench/import.ts'],
  ['Where the time goes', 'bench/profile.ts'],
];

const HEADING = `# What was measured

\`npm run bench\` writes this page. Each part also runs alone, such as \`node bench/lists.ts\`, and \`npm run bench -- lists\` replaces its section only.

- Times are milliseconds unless a row says otherwise. To compare machines, compare ratios.
- A bar is the highest value that is good enough: ✔ it is met, ✘ it is missed. [Record 0070](../docs/decisions/0070-performance-budget.md) says which bars the product keeps.
- \`recall@5\` and \`recall@10\` are the share of the right records among the first five and ten results; MRR is the mean of 1 / rank of the first right one. No model is involved.
`;

const known = new Set(PARTS.map(([, file]) => nameOf(file)).filter((name) => name !== 'locomo'));
for (const name of positionals) {
  if (!known.has(name)) throw new Error(`Expected parts out of ${[...known].join(', ')}, found "${name}".`);
}
const before = readFileSync(RESULTS, 'utf8').split(/^(?=## )/m);
const sections: string[] = [];
for (const [title, file] of PARTS) {
  const heading = `## ${title}\n`;
  const argument = file === 'bench/locomo.ts' ? values.locomo : undefined;
  if (isWanted(file)) {
    const command = `node ${[file, ...(argument ? [basename(argument)] : [])].join(' ')}`;
    sections.push(`${heading}\n\`${command}\`\n\n${(await run(file, argument)).trim()}\n`);
  } else {
    sections.push(
      ...before.filter((section) => section.startsWith(heading)).map((section) => `${section.trim()}\n`),
    );
  }
}
writeFileSync(RESULTS, [HEADING, ...sections].join('\n'));

function nameOf(file: string): string {
  return basename(file, '.ts');
}

function isWanted(file: string): boolean {
  const isNamed = positionals.length === 0 || positionals.includes(nameOf(file));
  return file === 'bench/locomo.ts' ? values.locomo !== undefined : isNamed;
}

function run(file: string, argument: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = argument === undefined ? [file] : [file, argument];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
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
