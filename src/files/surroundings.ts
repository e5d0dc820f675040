import type { AsyncLocalStorage } from 'node:async_hooks';
import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';

/** Where an answer goes: a terminal says how wide it is. */
type Output = Writable & Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows' | 'hasColors'>;

/** The surroundings of a run of the program; the process has all of it. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  /** The working folder. @throws when it was removed */
  cwd(): string;
  /** Left out: that of the account. */
  home?(): string;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  exitCode?: typeof process.exitCode;
}

let given: AsyncLocalStorage<Surroundings> | undefined;

/** The surroundings of this run: those of the process, unless {@link runIn} gave it its own. */
export const here = (): Surroundings => given?.getStore() ?? process;

/** The home folder of this run. */
export const homeHere = (): string => here().home?.() ?? homedir();

/** Whether this run has the process to itself, with its descriptors. */
export const hasProcess = (): boolean => here() === process;

/** Runs a command line with surroundings of its own, so that many can run in one process. */
export function runIn<Result>(surroundings: Surroundings, work: () => Promise<Result>): Promise<Result> {
  // Loaded on use: the program itself never asks for it.
  given ??= new (process.getBuiltinModule('node:async_hooks').AsyncLocalStorage)();
  return given.run(surroundings, work);
}
