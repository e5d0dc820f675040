import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { unauthorized } from '../domain/error.ts';
import { CLI, CLI_ALONE, CLI_OF_AGENT } from '../domain/via.ts';
import { dataFolderHere } from '../files/data-folder.ts';
import { hasProcess, here, type Surroundings } from '../files/surroundings.ts';

/** Names of the authors whose scripts are theirs, a line each, in the data folder; `*` for every author. */
const PEOPLE = 'people';
/** Runs in which a person said that they type. */
const said = new WeakSet<Surroundings>();
/** Parents that are looked at: a shell in a terminal in a desktop has about ten. */
const PARENTS = 40;
const NO_TERMINAL = 'no terminal';
/** Programs that are named by the script that they run. */
const INTERPRETER = /^(?:node|bun|deno|python[\d.]*)$/;

/**
 * Whether a person runs this command line (Z-14): at a terminal at both ends, or at one that they said they type at, without an
 * agent around it; or a script whose author the data folder names. A program that opens a terminal of its own passes (SECURITY.md).
 */
export async function isPersonHere(): Promise<boolean> {
  return (await whyNoPerson()) === undefined;
}

/** By whom this command line saves. */
export async function clientHere(): Promise<string> {
  const found = await whyNoPerson();
  return found === undefined ? CLI : found === NO_TERMINAL ? CLI_ALONE : CLI_OF_AGENT;
}

/** Takes `--person` at its word. @throws PrecedentError `unauthorized` where no person can be typing */
export async function sayPerson(): Promise<void> {
  said.add(here());
  await requirePerson('--person');
}

/** @param what needs one @throws PrecedentError `unauthorized` */
export async function requirePerson(what: string): Promise<void> {
  const found = await whyNoPerson();
  if (found === undefined) return;
  throw unauthorized.not_allowed(
    `Expected a person to type ${what} at a terminal, found ${found}. For scripts that you write, see "Persons and programs" in docs/settings.md. Nothing was changed.`,
  );
}

/** What tells that no person runs this. */
async function whyNoPerson(): Promise<string | undefined> {
  const { env, stdin, stdout, stderr } = here();
  const { agentAround } = await import('../agents/agents.ts');
  const variable = agentAround(env, []);
  if (variable !== undefined) return `${variable}, which an agent sets`;
  if (await isScriptOfPerson(env)) return undefined;
  const parent = agentAround({}, hasProcess() ? parents() : []);
  if (parent !== undefined) return `${parent}, an agent that started it`;
  const isAt = said.has(here())
    ? [stdin, stdout, stderr].some(({ isTTY }) => isTTY)
    : stdin.isTTY === true && stdout.isTTY === true;
  return isAt ? undefined : NO_TERMINAL;
}

/** Whether the data folder says that scripts of this author are a person's. @throws PrecedentError `invalid` for a file that others may read or write */
async function isScriptOfPerson(env: NodeJS.ProcessEnv): Promise<boolean> {
  const folder = dataFolderHere();
  if (folder === undefined || !existsSync(join(folder, PEOPLE))) return false;
  const { readPrivate } = await import('../http/access/token-file.ts');
  const people = (readPrivate(join(folder, PEOPLE), 'people') ?? '').split('\n').map((name) => name.trim());
  const author = env.PRECEDENT_AUTHOR?.trim();
  return people.includes('*') || (Boolean(author) && people.includes(author as string));
}

/** What the processes above this one are called; none where the system does not tell. */
function parents(): string[] {
  const names: string[] = [];
  try {
    for (let pid = process.ppid; pid > 1 && names.length < 2 * PARENTS; ) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [program = '', script = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .map(nameOf);
      names.push(stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), program);
      if (INTERPRETER.test(program)) names.push(script);
      // After the name, which may hold anything, come the state and the parent.
      pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    }
  } catch {
    // Another system, or a process that is gone or another account's.
  }
  return names;
}

const nameOf = (path: string) => basename(path, extname(path));
