// Stands where the program does: it keeps what a hook is sent in the data folder, which outlives it, and runs the program.
const { spawnSync } = require('node:child_process');
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const program = join(__dirname, 'itself.cjs');
const words = process.argv.slice(2);
if (words.includes('hook')) {
  const input = readFileSync(0);
  keep(input.toString('utf8'));
  const ran = spawnSync(process.execPath, [program, ...words], {
    input,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  process.exit(ran.status ?? 1);
} else require(program);

// The first event of each kind, under its name.
function keep(text) {
  const { hook_event_name: event = 'unnamed', source } = JSON.parse(text);
  const folder = join(__dirname, '..', '..', '..', 'recorded');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${[event, source].filter(Boolean).join('-')}.json`);
  if (!existsSync(file)) writeFileSync(file, text);
}
