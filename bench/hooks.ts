import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemory } from '../src/index.ts';
import { saveHistories } from '../test/support/history.ts';
import { generator } from '../test/support/random.ts';
import { machine, print } from './measure.ts';

/**
 * What a hook costs its agent, beside a Node that does nothing in the same turns: processor time of the whole
 * process, on SQLite files of several sizes.
 *
 *   node bench/hooks.ts [records, default 0 2000 10000: added to the two histories, which have 628]
 */
const ROUNDS = 21;
const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [0, 2_000, 10_000];
const folder = mkdtempSync(join(tmpdir(), 'precedent-hooks-'));
/** The processor time of a whole process is known to the process alone. */
const REPORT = join(folder, 'report.cjs');
const PROMPTS = {
  'prompt that says nothing': 'fix the tests',
  'prompt about something known': 'We store the login session in the browser: where should the token go?',
  'prompt of words not heard before': 'Does the {} zebra of the wildlife gallery want an album cover?',
};
/** The new text of an edit. */
const CODE = readFileSync('src/hook/page.ts', 'utf8').slice(0, 3_000);

try {
  machine();
  writeFileSync(
    REPORT,
    "process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('cpu '+(user+system)+'\\n')})",
  );
  mkdirSync(join(folder, 'precedent'));
  const cases: [name: string, args: string[], event: object][] = [['node -e 0', ['-e', '0'], {}]];
  for (const size of sizes) {
    const db = join(folder, `${size}.db`);
    await fill(db, size);
    const hook = ['dist/precedent.cjs', '--db', db, 'hook', 'claude'];
    const at = (name: string) => `${size} + 628: ${name}`;
    cases.push([at('another event'), hook, { hook_event_name: 'Stop' }]);
    cases.push([at('start of a session'), hook, { hook_event_name: 'SessionStart', source: 'startup' }]);
    for (const [name, prompt] of Object.entries(PROMPTS))
      cases.push([at(name), hook, { hook_event_name: 'UserPromptSubmit', prompt }]);
    const file_path = join(process.cwd(), 'src/area-7/a.ts');
    for (const [name, tool_name, tool_input] of [
      ['edit of a file that is bound', 'Edit', { file_path, old_string: 'a', new_string: CODE }],
      ['command', 'Bash', { command: 'npm install left-pad && npm test' }],
    ] as const)
      cases.push([at(name), hook, { hook_event_name: 'PreToolUse', tool_name, tool_input }]);
  }
  const times = new Map<string, number[]>(cases.map(([name]) => [name, []]));
  // In turns, so that all meet the same state of the machine; the first turns compile.
  for (let round = -2; round < ROUNDS; round++)
    for (const [name, args, event] of cases) {
      const text = JSON.stringify({ ...event, session_id: `${name} ${round}` }).replace('{}', `x${round}`);
      const time = cpuOf(args, text);
      if (round >= 0) times.get(name)?.push(time);
    }
  print(
    '\n| milliseconds of the processor | least | median | most | median over bare Node |\n|---|---|---|---|---|',
  );
  const median = (name: string) => sorted(times.get(name) ?? [])[ROUNDS >> 1] ?? 0;
  for (const [name, all] of times) {
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const cells = [least, median(name), most, median(name) - median('node -e 0')].map((each) =>
      each.toFixed(0),
    );
    print(`| ${name} | ${cells.join(' | ')} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Fills a memory with records in the words of the histories, then with these. */
async function fill(db: string, size: number): Promise<void> {
  const random = generator(1);
  const words = ['backend', 'product']
    .flatMap((name) => readFileSync(`bench/data/${name}.jsonl`, 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line))
    .map(({ decision = '', content = '' }) => `${decision} ${content}`.split(/\s+/));
  const some = (count: number) => {
    const from = words[Math.floor(random() * words.length)] ?? [];
    const start = Math.floor(random() * Math.max(1, from.length - count));
    return (
      from
        .slice(start, start + count)
        .join(' ')
        .trim() || 'nothing'
    );
  };
  const memory = await openMemory({ db });
  // Only an empty memory takes an import.
  await saveHistories(memory, ['backend', 'product']);
  for (let n = 0; n < size; n++) {
    const text = `${some(9)} ${some(9)}`;
    if (n % 5 === 0)
      await memory.mama.save({ topic: `area${n % 40}:matter ${n}`, decision: text, reasoning: some(12) });
    else await memory.mem.save({ title: some(5), content: text });
  }
  for (let n = 0; n < 30; n++)
    await memory.mama.save({
      ...{ topic: `area-${n}:rule`, decision: `Rule ${n}`, strength: n < 10 ? 'lock' : 'normal' },
      files: `src/area-${n}/**`,
    });
  await memory.close();
}

/** Milliseconds of processor time. */
function cpuOf(args: string[], input: string): number {
  const { stderr } = spawnSync(process.execPath, ['--require', REPORT, ...args], {
    input,
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') },
    encoding: 'utf8',
  });
  return Number(stderr.match(/cpu (\d+)/)?.[1]) / 1000;
}

function sorted(times: number[]): number[] {
  return times.toSorted((a, b) => a - b);
}
