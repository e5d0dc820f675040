import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { respond } from '../../src/hook/respond.ts';
import type { Memory } from '../../src/index.ts';
import { moveClock, withClock } from './clock.ts';
import { saveHistories } from './history.ts';
import type { Ran, RunOptions, workbench } from './program.ts';
import { until } from './until.ts';

/** A prompt that one of the histories says something about, `auth:token`. */
export const TOKEN = 'We need to store the login session in the browser, where should the token go?';

/** An event, as the tests say it: fields of Claude Code's, and who sends it. */
export interface HookEvent {
  agent?: string;
  name?: string;
  environment?: Record<string, string>;
  [field: string]: unknown;
}

/** Milliseconds after its start at which a hook waits no longer for a memory, and at which it ends. */
export const LATE = 1_350;
export const OVER = 1_500;

let clocks = 0;

/**
 * Runs a hook as a program whose clock stands still until something has happened, and then shows this.
 * @param args after `precedent`
 */
export async function hookUntil(
  bench: ReturnType<typeof workbench>,
  { args = ['hook', 'claude'], ...options }: RunOptions & { args?: string[] },
  happened: () => unknown,
  shows = LATE,
): Promise<Ran> {
  const clock = join(bench.folder, `clock ${++clocks}`);
  const env = { ...options.env, NODE_OPTIONS: withClock(clock) };
  const running = bench.run(args, { ...options, env });
  await until(happened);
  moveClock(clock, shows);
  return running;
}

let sessions = 0;
export const newSession = () => `session ${++sessions}`;

/** A machine of one account, on which hooks are answered in this process: its data folder lies in it. */
export function machineOfHooks() {
  const home = mkdtempSync(join(tmpdir(), 'precedent-hook-'));
  const data = join(home, 'precedent');
  mkdirSync(data);
  process.env.XDG_DATA_HOME = home;
  return {
    home,
    data,
    /** What a hook writes for an event of a session of its own, to the byte; '' for nothing. */
    async hook(
      options: object,
      { agent = 'claude', name = 'SessionStart', environment = {}, ...fields }: HookEvent,
    ): Promise<string> {
      const written: string[] = [];
      await respond({
        agent,
        payload: { session_id: newSession(), hook_event_name: name, cwd: home, ...fields },
        options,
        environment: { XDG_DATA_HOME: home, ...environment },
        cwd: home,
        write: async (text) => void written.push(text),
        note: async () => {},
      });
      assert(written.length <= 1);
      assert.match(written[0] ?? '', /^[ -~]*\n?$/, 'a shell may garble anything else');
      return written[0] ?? '';
    },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** What hooks have to tell of: two histories, what binds everywhere, and where the work stood. */
export async function saveWhatIsTold(memory: Memory, summary: string): Promise<void> {
  await saveHistories(memory, ['backend', 'product']);
  await memory.mama.save({
    topic: 'all:axis',
    decision: '모든 시각은 UTC로 저장한다',
    scope: 'global',
    strength: 'axis',
  });
  await memory.mama.save({ type: 'checkpoint', summary, next_steps: 'Write its tests' });
}
