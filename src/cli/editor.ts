import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invalid, PrecedentError } from '../domain/error.ts';
import { commandLine, shellEnvironment } from '../files/program.ts';
import { here } from '../files/surroundings.ts';
import { decode } from './input/utf8.ts';
import { log } from './output/print.ts';
import { whenEnded } from './when-ended.ts';

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
      ? new PrecedentError(error.code, error.reason, `${error.message}\nWhat you wrote is kept in ${file}`, {
          cause: error,
        })
      : error;
  const ended = () => {
    if (readFileSync(file, 'utf8') === template) discard();
    else log(`What you wrote is kept in ${file}`);
  };
  const failed = await run(editor, file, environment, ended);
  if (failed !== undefined) {
    const error = invalid.editor_failed(
      `Expected the editor "${editor}" to exit without an error, found that it ${failed}. Nothing was changed.`,
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
  throw invalid.no_terminal(
    'Expected VISUAL or EDITOR to name an editor, since there is no terminal. Nothing was changed.',
  );
}

/** @param ended called when a signal ends the program. @returns what went wrong; undefined when nothing did */
async function run(editor: string, file: string, environment: NodeJS.ProcessEnv, ended: () => void) {
  // A name with options is a command line, as in git: EDITOR="code --wait".
  const line = commandLine(editor, environment);
  if (line === undefined) return 'is in no folder of PATH';
  const command = process.platform === 'win32' ? `${line} "${file}"` : `${line} '${file}'`;
  const running = spawn(command, { shell: true, stdio: 'inherit', env: shellEnvironment(environment) });
  // Ctrl-C is the editor's while it has the screen.
  const ignore = () => {};
  process.on('SIGINT', ignore);
  const goOn = whenEnded(['SIGTERM', 'SIGHUP'], (signal) => {
    running.kill(signal);
    ended();
  });
  try {
    const [code, signal] = await once(running, 'close');
    if (code === 0) return undefined;
    return signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
  } finally {
    process.off('SIGINT', ignore);
    goOn();
  }
}

/** A part of what is written in an editor: a field of an operation. */
export interface Section {
  field: string;
  /** What it is, in one line. */
  about: string;
  /** What it says now; empty for nothing. */
  text: string;
}

/** How a line begins that is left out. A heading of Markdown begins otherwise. */
const COMMENT = '#|';

/**
 * A text for an editor (U-6): what it is about in comments, then each section below a line that names it.
 * @param about a line each
 */
function toTemplate(about: readonly string[], sections: readonly Section[]): string {
  const head = [
    ...about,
    `Lines that begin with "${COMMENT}" are ignored; a line with a name in brackets begins a field.`,
    'If you write or change nothing, nothing is saved.',
  ];
  const parts = sections.map(({ field, about, text }) => `${COMMENT} [${field}] ${about}\n${text}\n`);
  return [...head.map((line) => `${COMMENT} ${line}\n`), '\n', parts.join('\n')].join('');
}

/** What was written of each section, without comments and the blank lines around it; undefined for one that is gone. */
function readTemplate(written: string, sections: readonly Pick<Section, 'field'>[]) {
  const found = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of written.split(/\r?\n/)) {
    const name = sections.find(({ field }) => line.startsWith(`${COMMENT} [${field}]`))?.field;
    if (name !== undefined) {
      current = found.get(name) ?? [];
      found.set(name, current);
    } else if (!line.startsWith(COMMENT)) current?.push(line);
  }
  return Object.fromEntries(sections.map(({ field }) => [field, found.get(field)?.join('\n').trim()]));
}

/** The sections that say something else now; one that is gone or empty changes nothing. */
function changedIn(written: Record<string, string | undefined>, sections: readonly Section[]) {
  return Object.fromEntries(
    sections.flatMap(({ field, text }) => {
      const now = written[field];
      return now === undefined || now === '' || now === text.trim() ? [] : [[field, now]];
    }),
  );
}

/**
 * Lets a person write fields in an editor, and saves them (U-6). When they cannot be saved, what was written is kept in a
 * file that the error names.
 * @param save receives the fields that say something else now
 * @param isNew whether all that is written is saved; else what changed
 * @returns undefined when nothing was changed
 * @throws PrecedentError `invalid` for an empty text, and what saving throws
 */
export async function edited<Result>(
  about: readonly string[],
  sections: readonly Section[],
  save: (fields: Record<string, string>) => Promise<Result>,
  isNew = false,
): Promise<Result | undefined> {
  const written = await writeInEditor(toTemplate(about, sections));
  const said = readTemplate(written.text, sections);
  const fields = changedIn(said, isNew ? sections.map((each) => ({ ...each, text: '' })) : sections);
  const isEmpty = Object.values(said).every((text) => !text);
  if (isEmpty || Object.keys(fields).length === 0) {
    written.discard();
    if (!isEmpty) return undefined;
    throw invalid.missing('Expected a text, found an empty one. Nothing was changed.');
  }
  try {
    const result = await save(fields);
    written.discard();
    return result;
  } catch (error) {
    throw written.kept(error);
  }
}
