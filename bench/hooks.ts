import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemory } from '../src/index.ts';
import { saveHistories } from '../test/support/history.ts';
import { machine, print } from './measure.ts';

/** What a hook costs its agent, beside a Node that does nothing: medians of processor time, on a SQLite file. */
const ROUNDS = 21;
/** The processor time of a whole process is known to the process alone. */
const REPORT = `--import=data:text/javascript,${encodeURIComponent(
  "process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('cpu '+(user+system)+'\\n')})",
)}`;

const folder = mkdtempSync(join(tmpdir(), 'precedent-hooks-'));
try {
  machine();
  const db = join(folder, 'why.db');
  mkdirSync(join(folder, 'precedent'));
  const memory = await openMemory({ db });
  await saveHistories(memory, ['backend', 'product']);
  await memory.close();
  const hook = ['dist/precedent.cjs', '--db', db, 'hook', 'claude'];
  const prompt = (text: string) => ({ hook_event_name: 'UserPromptSubmit', prompt: text });
  const cases: [string, string[], object][] = [
    ['node -e 0', ['-e', '0'], {}],
    ['another event', hook, { hook_event_name: 'Stop' }],
    ['prompt that says nothing', hook, prompt('fix the tests')],
    ['start of a session', hook, { hook_event_name: 'SessionStart', source: 'startup' }],
    [
      'prompt with something known',
      hook,
      prompt('We store the login session in the browser: where should the token go?'),
    ],
  ];
  for (const [name, args, event] of cases) {
    const times = Array.from({ length: ROUNDS }, (_, round) =>
      cpuOf(args, { ...event, session_id: `${name} ${round}` }),
    );
    print(`${name.padEnd(30)} ${times.sort((a, b) => a - b)[ROUNDS >> 1]?.toFixed(0)} ms`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Milliseconds of processor time. */
function cpuOf(args: string[], event: object): number {
  const { stderr } = spawnSync(process.execPath, [REPORT, ...args], {
    input: JSON.stringify(event),
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder },
    encoding: 'utf8',
  });
  return Number(stderr.match(/cpu (\d+)/)?.[1]) / 1000;
}
