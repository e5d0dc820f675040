import { existsSync, globSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { type Facts, noFacts } from '../../../domain/arrival/facts.ts';
import { PrecedentError } from '../../../domain/error.ts';
import { frontMatter } from '../front-matter.ts';
import type { Importer, Reading } from '../importer.ts';
import { readText, type SourceText, unreadable } from '../source-text.ts';
import { decideBullets } from './decisions.ts';
import { importsOf, instructionFile, quotedGlobs } from './instructions.ts';
import { linksBetween, memoryFile } from './memory-file.ts';

const NAME = 'agents';
/** Where a person's own notes and instructions lie. */
const OF_HOME = ['.claude/CLAUDE.md', '.codex/AGENTS.md', '.gemini/GEMINI.md', '.claude/rules/**/*.md'];
/** Where a project's instructions lie. Of equal texts the first one counts. */
const OF_PROJECT = [
  '**/AGENTS.md',
  '**/CLAUDE.md',
  '**/CLAUDE.local.md',
  '**/GEMINI.md',
  '**/.claude/CLAUDE.md',
  '.claude/rules/**/*.md',
  '.github/copilot-instructions.md',
  '.github/instructions/**/*.instructions.md',
  '**/.cursor/rules/**/*.mdc',
  '.cursorrules',
  '.windsurf/rules/**/*.md',
  '.windsurfrules',
  '.clinerules',
  '.clinerules/**/*.md',
  '.roo/rules/**/*.md',
  '.kiro/steering/**/*.md',
  '.junie/guidelines.md',
];
/** Worktrees hold the same files once more, as other branches have them. */
const LEFT_OUT = ['node_modules', '.git', 'vendor', 'dist', 'worktrees', '.worktrees', '.venv'];
/** Files that are called by their name alone: their folder says only what they are. */
const RULES = /^\.(claude|github|cursor|windsurf|clinerules|roo|kiro|junie)\//;

/** What people tell their agents in files, and what agents wrote down by themselves (one way only). */
export const agents: Importer = {
  name: NAME,
  hasDecisions: true,
  what: 'the files that coding agents read and write: CLAUDE.md, AGENTS.md, rules, notes',
  places: ({ folder, home }) =>
    [folder, home].filter((each) => filesIn(each, home).length + notesIn(each).length > 0),
  read: (path, reading) => readAll([path], reading),
  readAll,
};

function readAll(folders: string[], { home, decisions = false }: Reading): Facts {
  const facts = noFacts(NAME);
  const seen = new Map<string, string>();
  for (const folder of folders.map((each) => resolve(each))) {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (!found?.isDirectory()) {
      const what = found ? 'a file' : 'none';
      throw new PrecedentError(
        'not_found',
        `Expected a folder with files of agents, found ${what} at ${folder}.`,
      );
    }
    readInstructions(facts, folder, home, seen);
    readNotes(facts, folder);
  }
  if (decisions) decideBullets(facts);
  facts.relations.push(...linksBetween(facts.observations.filter(({ key }) => key.startsWith('claude:'))));
  return facts;
}

/** A home, where an agent keeps notes of all projects. Those projects may lie in it, and are not read with it. */
const isHome = (folder: string, home: string | undefined) =>
  resolve(folder) === home ||
  ['.claude/projects', '.codex/memories'].some((each) => existsSync(join(folder, each)));

function filesIn(folder: string, home: string | undefined): string[] {
  const patterns = isHome(folder, home) ? OF_HOME : OF_PROJECT;
  const exclude = (name: string) => LEFT_OUT.includes(basename(name));
  const files = patterns.flatMap((each) => globSync(each, { cwd: folder, exclude }).sort());
  const plain = files.filter(
    (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.isDirectory() !== true,
  );
  return [...new Set(plain.map((file) => file.split(sep).join('/')))];
}

const notesIn = (folder: string) =>
  ['.claude/projects/*/memory/*.md', '.codex/memories/*.md']
    .flatMap((each) => globSync(each, { cwd: folder }).sort())
    .map((file) => file.split(sep).join('/'));

/** Files that can be read; the others are left out by name. */
function readable(facts: Facts, folder: string, files: string[]): string[] {
  return files.filter((what) => {
    const why = unreadable(join(folder, what));
    if (why !== undefined) facts.skipped.push({ what, why });
    return why === undefined;
  });
}

function readInstructions(
  facts: Facts,
  folder: string,
  home: string | undefined,
  seen: Map<string, string>,
): void {
  const project = isHome(folder, home) ? null : basename(folder);
  for (const file of readable(facts, folder, filesIn(folder, home))) {
    const path = join(folder, file);
    const source = readTold(facts, path, file);
    const text = source.text.trim();
    const same = seen.get(text);
    const link = linkOf(path, text);
    if (link !== undefined) facts.skipped.push({ what: file, why: `a link to ${link}` });
    else if (same !== undefined) facts.skipped.push({ what: file, why: `the same text as ${same}` });
    else if (text === '') facts.skipped.push({ what: file, why: 'empty' });
    else {
      seen.set(text, file);
      const name = RULES.test(file) ? basename(file) : file;
      const told = instructionFile(name, project, source);
      const place = `${project ?? '~'}/${file}`;
      facts.observations.push(
        ...told.map((fact) => ({ ...fact, key: `${place}${fact.key.slice(name.length)}` })),
      );
      if (/^CLAUDE/.test(basename(file))) warnMissing(facts, file, path, importsOf(text));
    }
  }
}

function readTold({ warnings }: Facts, path: string, file: string): SourceText {
  const source = readText(path);
  if (source.isDamaged) warnings.push(`${file}: bytes that are no UTF-8 became U+FFFD`);
  const { problem } = frontMatter(quotedGlobs(source.text));
  if (problem !== undefined) warnings.push(`${file}: ${problem}; it is taken as a plain text`);
  return source;
}

/** What a file leads to: as a link of the file system, or as git writes one where there are none. */
function linkOf(path: string, text: string): string | undefined {
  if (lstatSync(path).isSymbolicLink()) return 'another file';
  const isName = text.length < 200 && !text.includes('\n') && /\.md$/.test(text) && !text.includes(' ');
  return isName && existsSync(join(dirname(path), text)) ? text : undefined;
}

function warnMissing(facts: Facts, file: string, path: string, named: string[]): void {
  const missing = named.filter((each) => !each.startsWith('~') && !existsSync(join(dirname(path), each)));
  if (missing.length === 0) return;
  const list = missing.map((each) => `@${each}`).join(' and ');
  facts.warnings.push(`${file} names ${list}, which ${missing.length === 1 ? 'is' : 'are'} not there`);
}

/** Notes of Claude Code, one a file, and of Codex, one a section. */
function readNotes(facts: Facts, folder: string): void {
  for (const file of readable(facts, folder, notesIn(folder))) {
    const path = join(folder, file);
    const name = basename(file);
    const project = file.split('/')[2] ?? '';
    if (name === 'memory_summary.md') facts.skipped.push({ what: file, why: 'generated' });
    else if (!file.startsWith('.claude')) {
      const told = instructionFile(name, null, readTold(facts, path, file));
      facts.observations.push(...told.map((fact) => ({ ...fact, key: `codex:${fact.key}`, type: 'note' })));
    } else if (name === 'MEMORY.md') {
      facts.skipped.push({ what: file, why: 'an index' });
      const named = [...readFileSync(path, 'utf8').matchAll(/\]\(([^)]+\.md)\)/g)].map(
        ([, target = '']) => target,
      );
      for (const target of named.filter((each) => !existsSync(join(dirname(path), each)))) {
        facts.warnings.push(`MEMORY.md names ${target}, which is not there`);
      }
    } else facts.observations.push(memoryFile(name, project, readTold(facts, path, file)));
  }
}
