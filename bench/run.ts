import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Runs the benchmarks of bench/results.md, one after the other, and replaces their sections there. Every other section stays as it
 * is.
 *
 *   npm run bench                              speed and retrieval
 *   npm run bench -- speed                     only this one
 *   npm run bench -- --locomo locomo10.json    LoCoMo too, which has to be downloaded by hand
 *   npm run bench -- speed --peers FOLDER      beside other memories, which are installed into that folder
 */
const { values, positionals } = parseArgs({
  options: { locomo: { type: 'string' }, peers: { type: 'string' } },
  allowPositionals: true,
});
const RESULTS = 'bench/results.md';
const PARTS: { title: string; file: string; args: string[] }[] = [
  { title: 'Speed', file: 'bench/speed.ts', args: values.peers ? ['--peers', values.peers] : [] },
  { title: 'What searches find', file: 'bench/retrieval.ts', args: [] },
  ...(values.locomo
    ? [{ title: 'What searches find in LoCoMo', file: 'bench/locomo.ts', args: [values.locomo] }]
    : []),
];

const names = PARTS.map(({ file }) => basename(file, '.ts'));
for (const name of positionals)
  if (!names.includes(name)) throw new Error(`Expected parts out of ${names.join(', ')}, found "${name}".`);
let page = readFileSync(RESULTS, 'utf8');
for (const [at, { title, file, args }] of PARTS.entries()) {
  if (positionals.length > 0 && !positionals.includes(names[at] as string)) continue;
  const command = ['node', file, ...args.map((arg) => basename(arg))].join(' ');
  const section = `## ${title}\n\n\`${command}\`\n\n${(await run(file, args)).trim()}\n\n`;
  const sections = page.split(/^(?=## )/m);
  const place = sections.findIndex((each) => each.startsWith(`## ${title}\n`));
  page = sections.toSpliced(place < 0 ? sections.length : place, place < 0 ? 0 : 1, section).join('');
}
writeFileSync(RESULTS, `${page.trim()}\n`);

function run(file: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
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
