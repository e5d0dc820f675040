import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PrecedentError } from '../../domain/error.ts';
import { commandLine, shellEnvironment } from '../../files/program.ts';
import { here } from '../../files/surroundings.ts';
import { decode } from '../input/utf8.ts';

/** A text that was written in an editor, and the file that holds it until it is saved. */
export interface Written {
  text: string;
  /** Removes the file: what was written is saved, or nothing was. */
  discard(): void;
  /** The same error, which names the file: what was written is kept in it. */
  kept(error: unknown): unknown;
}

/**
 * Lets a person write in the editor that VISUAL or EDITOR names (U-6), in a file that nobody else can read.
 * @throws PrecedentError `invalid` when there is no editor, when it fails, or when the text is not UTF-8: what was written
 *   is kept in a file, which the message names
 */
export async function writeInEditor(
  template: string,
  environment: NodeJS.ProcessEnv = here().env,
): Promise<Written> {
  const editor = editorOf(environment);
  const folder = mkdtempSync(join(tmpdir(), 'precedent-edit-'));
  const file = join(folder, 'edit.md');
  writeFileSync(file, template, { mode: 0o600 });
  const discard = () => rmSync(folder, { recursive: true, force: true });
  const kept = (error: unknown) =>
    error instanceof PrecedentError
      ? new PrecedentError(error.code, `${error.message}\nWhat you wrote is kept in ${file}`, {
          cause: error,
          reason: error.reason,
        })
      : error;
  const failed = await run(editor, file, environment);
  if (failed !== undefined) {
    const error = new PrecedentError(
      'invalid',
      `Expected the editor "${editor}" to end well, found that it ${failed}. Nothing was changed.`,
    );
    if (readFileSync(file, 'utf8') !== template) throw kept(error);
    discard();
    throw error;
  }
  try {
    const text = decode(readFileSync(file), (line) => `line ${line} of ${file}`);
    return { text, discard, kept };
  } catch (error) {
    throw kept(error);
  }
}

/** @throws PrecedentError `invalid` when none is named and there is no terminal for the usual one */
function editorOf({ VISUAL, EDITOR }: NodeJS.ProcessEnv): string {
  const named = VISUAL?.trim() || EDITOR?.trim();
  if (named) return named;
  if (here().stdin.isTTY) return process.platform === 'win32' ? 'notepad' : 'vi';
  throw new PrecedentError(
    'invalid',
    'Expected VISUAL or EDITOR to name an editor, since there is no terminal. Nothing was changed.',
  );
}

/** @returns what went wrong; undefined when nothing did */
async function run(
  editor: string,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  // A name with options is a command line, as in git: EDITOR="code --wait".
  const line = commandLine(editor, environment);
  if (line === undefined) return 'is in no folder of PATH';
  const command = process.platform === 'win32' ? `${line} "${file}"` : `${line} '${file}'`;
  const running = spawn(command, { shell: true, stdio: 'inherit', env: shellEnvironment(environment) });
  // Ctrl-C is the editor's while it has the screen.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  try {
    const [code, signal] = await once(running, 'close');
    if (code === 0) return undefined;
    return signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
  } finally {
    process.off('SIGINT', ignore);
  }
}
