import { existsSync, lstatSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { append } from '../../../domain/append.ts';
import { type Facts, noFacts } from '../../../domain/arrival/facts.ts';
import { PrecedentError } from '../../../domain/error.ts';
import { isInside, leadsOut } from '../../../files/bounded.ts';
import { frontMatter } from '../front-matter.ts';
import type { Importer, Reading } from '../importer.ts';
import { readText, type SourceText, unreadable } from '../source-text.ts';
import { type Below, below } from '../walk.ts';
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
/** Where agents keep notes of their own in a home. */
const NOTES = ['.claude/projects/*/memory/*.md', '.codex/memories/*.md'];
/** The folders of a home that are looked into, and how many levels of them: an agent keeps much else there. */
const OF_AGENTS: readonly [folder: string, levels: number][] = [
  ['.claude', 1],
  ['.codex', 1],
  ['.gemini', 1],
  ['.claude/rules', Number.POSITIVE_INFINITY],
  ['.claude/projects', 3],
  ['.codex/memories', 1],
];
/** Names of other files in one file that are looked for. */
const NAMED = 100;
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
  append(facts.relations, linksBetween(facts.observations.filter(({ key }) => key.startsWith('claude:'))));
  return facts;
}

/** A home, where an agent keeps notes of all projects. Those projects may lie in it, and are not read with it. */
const isHome = (folder: string, home: string | undefined) =>
  resolve(folder) === home ||
  ['.claude/projects', '.codex/memories'].some((each) => existsSync(join(folder, each)));

function filesIn(folder: string, home: string | undefined): Below[] {
  if (!isHome(folder, home)) {
    return distinct(
      OF_PROJECT,
      below(folder, (name) => LEFT_OUT.includes(name)),
    );
  }
  return distinct(OF_HOME, belowHome(folder));
}

const notesIn = (folder: string): Below[] => distinct(NOTES, belowHome(folder));

const distinct = (patterns: readonly string[], all: Below[]): Below[] => [
  ...new Map(patterns.flatMap((each) => matching(all, each)).map((each) => [each.path, each])).values(),
];

/** What agents keep in a home; a link in there may lead elsewhere in the home. */
function belowHome(home: string): Below[] {
  return OF_AGENTS.flatMap(([inner, levels]): Below[] => {
    const path = join(home, inner);
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
    if (leadsOut(path, home)) return [{ path: inner, kind: 'link out of the folder' }];
    const found = below(path, (name) => LEFT_OUT.includes(name), { levels, base: home });
    return found.map((each) => ({ ...each, path: `${inner}/${each.path}` }));
  });
}

/** Files of a pattern in the order of their names, and links out that stand in the place of some. */
function matching(all: Below[], pattern: string): Below[] {
  const fits = new RegExp(
    `^${pattern
      .replace(/[.+]/g, '\\$&')
      .replace(/\*\*\/|\*/g, (mark) => (mark === '*' ? '[^/]*' : '(?:.*/)?'))}$`,
  );
  return all
    .filter(
      ({ path, kind }) =>
        kind !== 'folder' && (fits.test(path) || (kind !== 'file' && pattern.startsWith(`${path}/`))),
    )
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Files that can be read; the others are left out by name. */
function readable(facts: Facts, folder: string, files: Below[]): string[] {
  return files.flatMap(({ path: what, kind }) => {
    const why = kind === 'file' ? unreadable(join(folder, what), folder) : `a ${kind}`;
    const isSaid = facts.skipped.some((each) => each.what === what);
    if (why !== undefined && !isSaid) facts.skipped.push({ what, why });
    return why === undefined ? [what] : [];
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
    const source = readTold(facts, path, file, folder);
    const text = source.text.trim();
    const same = seen.get(text);
    const link = linkOf(path, text, folder);
    if (link !== undefined) facts.skipped.push({ what: file, why: `a link to ${link}` });
    else if (same !== undefined) facts.skipped.push({ what: file, why: `the same text as ${same}` });
    else if (text === '') facts.skipped.push({ what: file, why: 'empty' });
    else {
      seen.set(text, file);
      const name = RULES.test(file) ? basename(file) : file;
      const told = instructionFile(name, project, source);
      const place = `${project ?? '~'}/${file}`;
      append(
        facts.observations,
        told.map((fact) => ({ ...fact, key: `${place}${fact.key.slice(name.length)}` })),
      );
      if (/^CLAUDE/.test(basename(file))) warnMissing(facts, file, path, folder);
    }
  }
}

function readTold({ warnings }: Facts, path: string, file: string, folder: string): SourceText {
  const source = readText(path, folder);
  if (source.isDamaged) warnings.push(`${file}: bytes that are no UTF-8 became U+FFFD`);
  const { problem } = frontMatter(quotedGlobs(source.text));
  if (problem !== undefined) warnings.push(`${file}: ${problem}; it is taken as a plain text`);
  return source;
}

/** What a file leads to: as a link of the file system, or as git writes one where there are none. */
function linkOf(path: string, text: string, folder: string): string | undefined {
  if (lstatSync(path).isSymbolicLink()) return 'another file';
  const isName = text.length < 200 && !text.includes('\n') && /\.md$/.test(text) && !text.includes(' ');
  return isName && !isMissing(text, path, folder) && isInside(resolve(dirname(path), text), folder)
    ? text
    : undefined;
}

/** Whether a file that is named beside another one is not there. Of what lies outside nothing is told. */
function isMissing(named: string, path: string, folder: string): boolean {
  const target = resolve(dirname(path), named);
  return isInside(target, folder) && !existsSync(target);
}

function warnMissing(facts: Facts, file: string, path: string, folder: string): void {
  const named = importsOf(readText(path, folder).text).slice(0, NAMED);
  const missing = named.filter((each) => !each.startsWith('~') && isMissing(each, path, folder));
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
      const told = instructionFile(name, null, readTold(facts, path, file, folder));
      append(
        facts.observations,
        told.map((fact) => ({ ...fact, key: `codex:${fact.key}`, type: 'note' })),
      );
    } else if (name === 'MEMORY.md') {
      facts.skipped.push({ what: file, why: 'an index' });
      const links = [...readText(path, folder).text.matchAll(/\]\(([^()]+\.md)\)/g)].slice(0, NAMED);
      const named = links.map(([, target = '']) => target);
      for (const target of named.filter((each) => isMissing(each, path, folder))) {
        facts.warnings.push(`MEMORY.md names ${target}, which is not there`);
      }
    } else facts.observations.push(memoryFile(name, project, readTold(facts, path, file, folder)));
  }
}
