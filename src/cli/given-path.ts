import { isAbsolute, join } from 'node:path';
import { invalid } from '../domain/error.ts';
import { homeHere } from '../files/surroundings.ts';
import { describeDatabase } from '../memory/engines.ts';

/** What a shell, or a client of an agent, would have replaced. */
const VARIABLE = /\$\{[^}]*\}?|^\$\w*/;

/**
 * A path or an address as a client passes it, which has no shell: `~/` is the home folder (TR-5).
 * @param name the option or the variable
 * @throws PrecedentError `invalid` for one with a variable that nothing replaced
 */
export function givenPath(text: string, name: string): string {
  const [variable] = text.match(VARIABLE) ?? [];
  if (variable !== undefined)
    throw invalid.wrong_address(
      `Expected ${name} as a path or an address, found ${variable} in it, which no shell replaced. Write the path in full, or begin it with ~/ for the home folder.`,
    );
  return /^~([/\\]|$)/.test(text) ? join(homeHere(), text.slice(1)) : text;
}

/**
 * The same from the environment, which holds for every folder: never a path from the working folder, in which a stranger may
 * have put such a file (Z-11).
 * @returns undefined where the variable is not set
 * @throws PrecedentError `invalid`, also for a relative path
 */
export function pathOf(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = environment[name];
  if (!text) return undefined;
  const path = givenPath(text, name);
  if (isAbsolute(path) || describeDatabase(path).kind !== 'file') return path;
  throw invalid.wrong_address(
    `Expected ${name} as a full path, found "${path}", which is another file in each folder. Write the full path, or ~/${path} for one in the home folder.`,
  );
}
