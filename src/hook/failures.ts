import { appendFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** The log is begun anew when it is longer, in bytes. */
const LONGEST = 200_000;

/** Notes a failure in the log of hooks, in one line without a word of the prompt; nobody reads it while it happens. */
export function noteFailure(dataFolder: string | undefined, agent: string, what: string): void {
  if (dataFolder === undefined) return;
  const file = join(dataFolder, 'hooks.log');
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LONGEST) truncateSync(file);
    const line = `${new Date().toISOString()} ${agent.slice(0, 40)} ${what}`.replace(/\s+/g, ' ');
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  } catch {
    // No folder, or none that can be written: the agent goes on all the same.
  }
}
