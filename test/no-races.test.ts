import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { workbench } from './support/program.ts';

/** What makes the outcome of a test a matter of who is faster, and what to do instead. */
const RACES: [RegExp, string][] = [
  [
    /\bperformance\b|\bDate\.now\b|\bnew Date\(\)|\bhrtime\b|\.uptime\(/,
    'reads a clock: ask withinProcessorTime(), or stop the clock',
  ],
  [
    /\bset(Timeout|Interval)\b|(?<!mock\.)\btimers\b|\bAbortSignal\.timeout\b|\bAtomics\.wait\b|\bsleep\(/,
    'waits for a while: wait until() what is needed has happened',
  ],
  [
    /\btimeout: (?=\d)(?!\d{3}_\d{3}\b|\d+_\d{3}_\d{3}\b)/,
    'gives a busy machine less than a hundred seconds: leave it to the time limit of the runner',
  ],
  [
    /\b(threadC|c)puUsage\b|\bresourceUsage\b|\beventLoopUtilization\b|\bprocessorTime\b/,
    'measures the processor, and may compare what it measured: ask withinProcessorTime(), which is given a limit',
  ],
  [
    /\bwithinProcessorTime\((?!\d{3}\b|\d+_\d{3}\b)/,
    'has no limit in figures, or one below a hundred milliseconds',
  ],
  [/\blisten\((?!0\b)/, 'takes a port that another may have: listen on 0'],
  [
    /(127\.0\.0\.1|0\.0\.0\.0|localhost|\[::1\]):(?!1\b)\d/,
    'asks a port that another may have: ask one of the test, or 1, which nobody gets who listens on 0',
  ],
  [
    /(\bspawn|\bexecFile|\bfork)(Sync)?\([^)]*\bPROGRAM\b(?!.*OF_PROGRAMS)/,
    'starts the program with its deadlines: give it the environment OF_PROGRAMS',
  ],
];

/** What the advice above is made of. */
const TOOLS = ['test/support/clock.ts', 'test/support/patient.cjs', 'test/support/until.ts'];

/** Lines that may all the same, and why. */
const EXCEPTIONS: Record<string, Record<string, string>> = {
  'src/http/connections.test.ts': {
    'setTimeout: (idleAfter: number) => Object.assign(socket, { idleAfter }),':
      'is a socket of the test, which notes what it is told',
  },
  'src/embedding/openai.test.ts': {
    "[{ url: 'localhost:11434' }, /http or https/],": 'is refused before it is asked',
    'const { embedder } = await open({ mute: true }, { timeout: 50 });':
      'the endpoint never answers, so it cannot be faster',
    'const { embedder: patient } = await open({ mute: true }, { timeout: 60_000 });':
      'is a thousand times as long as what it is compared with',
  },
  'test/hostile/spent.js': {
    'const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();':
      'what a whole process takes is compared with a limit in figures',
  },
  'test/hook.test.ts': {
    'const before = Math.floor(Date.now() / AT_ONCE) * AT_ONCE + AT_ONCE - 1;':
      'the clock is stopped there; marks are files, whose times are those of the machine',
  },
  'test/sync-server.test.ts': {
    "['127.0.0.1:7733', 'http://127.0.0.1:7733'],": 'is refused before it is asked',
    "['localhost:7733', 'http://localhost:7733'],": 'is refused before it is asked',
  },
  'test/config.test.ts': {
    "nameOf('ssh://[::1]:22/~me/app.git'),": 'is a name',
  },
  'test/support/nginx.ts': {
    "const child = spawn(PROGRAM, ['-e', 'stderr', '-p', folder, '-c', inside('nginx.conf')]);": 'is nginx',
    "['127.0.0.1:7723', `unix:${servers[0]}`],": 'is replaced in the text that is documented',
    "['127.0.0.1:7724', `unix:${servers[1]}`],": 'is replaced in the text that is documented',
  },
  'test/support/secret-examples.ts': {
    "'postgres://user:password@localhost:5432/db',": 'is a text',
  },
  'src/cli/demo/browser.test.ts': {
    "[{ ...onLinux, environment: { DISPLAY: 'localhost:10.0', SSH_TTY: '/dev/pts/1' } }, false],":
      'is a display',
  },
  'test/cli-input.test.ts': {
    "const child = spawn('sh', [script, process.execPath, PROGRAM, db], {": 'has it in the next line',
  },
  'test/cli-start.test.ts': {
    "const { stderr } = spawnSync('sh', ['-c', '\"$0\" \"$@\" | true', process.execPath, PROGRAM, ...args], {":
      'only prints its help',
  },
  'test/odd-files.test.ts': {
    "socket.listen(inside('socket'));": 'a socket in the file system has no port',
  },
  'test/patience.test.ts': {
    "const stopTimers = (t: TestContext) => t.mock.timers.enable({ apis: ['setTimeout'] });":
      'the test fires these timers itself',
  },
  'test/waiting.test.ts': {
    "test.mock.timers.enable({ apis: ['setTimeout'] });": 'the test fires these timers itself',
  },
  'test/repository.test.ts': {
    'cp.execFile = (file, args, options, answer) => execFile(file, args, { ...options, timeout: 1 }, answer);':
      'this git never answers, so it cannot be faster',
  },
  'test/support/serving.ts': {
    'const listening = await listen(':
      'is our own function; a port that is named was the same server’s before it was killed',
  },
  'test/support/endurance.ts': {
    "import { setTimeout as sleep } from 'node:timers/promises';": 'servers are killed at random moments',
    'await sleep(pause);': 'what was acknowledged by then is counted, whenever that is',
    'await sleep(random() * 150);': 'nothing was asked of the server that is killed then',
  },
};

/** Lines of code that race, without their indentation and comments. */
function racesIn(code: string): { line: string; why: string }[] {
  return code
    .replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '')
    .split('\n')
    .flatMap((line) =>
      RACES.filter(([race]) => race.test(line)).map(([, why]) => ({ line: line.trim(), why })),
    );
}

describe('tests that race', () => {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.{ts,js}']).filter(
    (file) => ![...TOOLS, 'test/no-races.test.ts'].includes(file),
  );
  const found = files.flatMap((file) =>
    racesIn(readFileSync(file, 'utf8')).map(({ line, why }) => ({ file, line, why })),
  );

  it('[K-8] no test reads a clock, waits for a while or gives a busy machine too little time', () => {
    assert.deepEqual(
      found.filter(({ file, line }) => EXCEPTIONS[file]?.[line] === undefined),
      [],
    );
  });

  it('[K-8] no deadline passes in a program that a test starts, however late it begins', async (test) => {
    const bench = workbench(test);
    await bench.succeed(['tool', 'mama_save', 'auth:token', 'The login token goes into a cookie']);
    const stopped = join(bench.folder, 'stopped.cjs');
    writeFileSync(stopped, 'process.uptime = () => 3_600; performance.now = () => 3_600_000;');
    const event = {
      hook_event_name: 'UserPromptSubmit',
      session_id: 'a',
      prompt: 'Where does the login token go?',
    };
    const { stdout } = await bench.run(['hook', 'claude'], {
      stdin: JSON.stringify(event),
      env: { NODE_OPTIONS: `--require=${stopped}` },
    });
    assert.match(stdout, /auth:token/);
  });

  it('every exception is still needed', () => {
    const needed = new Set(found.map(({ file, line }) => `${file}: ${line}`));
    const listed = Object.entries(EXCEPTIONS).flatMap(([file, lines]) =>
      Object.keys(lines).map((line) => `${file}: ${line}`),
    );
    assert.deepEqual(
      listed.filter((each) => !needed.has(each)),
      [],
    );
  });

  it('the check knows a race when it sees one', () => {
    for (const race of [
      'assert(performance.now() - started < 700);',
      'const began = Date.now();',
      'await new Promise((resolve) => setTimeout(resolve, 400));',
      'const stop = setInterval(() => proxy.cut(), 40);',
      'await sleep(300);',
      "import { setTimeout } from 'node:timers/promises';",
      'AbortSignal.timeout(50)',
      "describe('x', { timeout: 60_000 }, () => {});",
      "it('x', { timeout: 500 }, () => {});",
      'server.listen(8080);',
      'const before = processorTime();',
      'const { user } = process.cpuUsage();',
      'await withinProcessorTime(3 * other, work);',
      'await withinProcessorTime(limit, work);',
      'await withinProcessorTime(50, work);',
      "await fetch('http://127.0.0.1:7723');",
      "spawn(process.execPath, [PROGRAM, 'hook'], { env });",
    ]) {
      assert.equal(racesIn(race).length, 1, race);
    }
    for (const fair of [
      'await until(() => lines.length > 0); // not sleep(5)',
      'server.listen(0);',
      'test.mock.timers.tick(3_000);',
      "it('waits', { timeout: 600_000 }, async () => {});",
      'new Date(2026, 0, 1)',
      "openMemory({ db: 'postgres://127.0.0.1:1/none' });",
      'spawn(process.execPath, [PROGRAM], { env: OF_PROGRAMS });',
      'await withinProcessorTime(2_000, () => fill(folder));',
    ]) {
      assert.deepEqual(racesIn(fair), []);
    }
  });
});
