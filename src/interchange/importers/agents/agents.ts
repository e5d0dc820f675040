import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { INSTRUCTIONS } from '../../../agents/agents.ts';
import { append } from '../../../domain/append.ts';
import { type Facts, noFacts, type ObservationFact } from '../../../domain/import/facts.ts';
import { isInside, leadsOut } from '../../../files/bounded.ts';
import { statHere } from '../../../files/machines.ts';
import { isLog } from '../adr/log.ts';
import { CALLED } from '../adr/places.ts';
import { frontMatter, wholeFrontMatter } from '../front-matter.ts';
import type { Importer, Reading } from '../importer.ts';
import { sectionsIn, withoutCode } from '../markdown.ts';
import { isFolder, readText, requireFolder, type SourceText, unreadable } from '../source-text.ts';
import { BARE, counted, linkFact, listed } from '../values.ts';
import { type Below, below } from '../walk.ts';

const NAME = 'agents';
/** Where a project's instructions are, also for agents that setup does not know. Of equal texts the first one counts. */
export const OF_PROJECT = [
  ...INSTRUCTIONS.project,
  ...listed(`.windsurf/rules/**/*.md .windsurfrules .clinerules .clinerules/**/*.md
  .roo/rules/**/*.md .kiro/steering/**/*.md .junie/guidelines.md`),
];
/** Where agents keep notes of one project. */
const OF_MEMORY = listed('**/.serena/memories/**/* **/memory-bank/**/* **/memory_bank/**/*');
/** Worktrees hold the same files once more, as other branches have them. */
export const LEFT_OUT = ['node_modules', '.git', 'vendor', 'dist', 'worktrees', '.worktrees', '.venv'];
/** Where agents keep notes of their own in a home. */
const NOTES = ['.claude/projects/*/memory/*.md', '.codex/memories/*.md'];
/** The folders of a home that are looked into, and how many levels of them: an agent keeps much else there. */
const OF_AGENTS = [...INSTRUCTIONS.home, ...NOTES].map((pattern): [folder: string, levels: number] => {
  const folder = dirname(pattern.replace(/\*.*/, '*'));
  const below = pattern.slice(folder.length + 1);
  return [folder, below.includes('**') ? Number.POSITIVE_INFINITY : below.split('/').length];
});
/** How many file names in one file are checked. */
const NAMED = 100;
/** Folders that tell only what kind of file is in them: such files are named without the folder. */
const RULES = /^\.[^/]+\//;

/** Imports the files in which people instruct their agents, and the notes of agents. Nothing is written back. */
export const agents: Importer = {
  name: NAME,
  what: 'the files that coding agents read and write: CLAUDE.md, AGENTS.md, rules, notes',
  places: ({ folder, home }) =>
    [folder, home].filter((each) => {
      const { instructions, memories, notes } = filesIn(each, home);
      return instructions.size + memories.size + notes.size > 0;
    }),
  read: (path, reading) => readAll([path], reading),
  readAll,
};

function readAll(folders: string[], { home }: Reading): Facts {
  const facts: Taken = { ...noFacts(NAME), read: [] };
  const seen = new Map<string, string>();
  for (const folder of folders.map((each) => resolve(each))) {
    requireFolder(folder, 'a folder with files of agents');
    const { instructions, memories, notes, others } = filesIn(folder, home);
    const [before, left] = [facts.read.length, facts.skipped.length];
    takeEach(facts, folder, instructions, instructionsOf(facts, folder, isHome(folder, home), seen));
    takeEach(facts, folder, memories, memoryOf(facts, folder));
    takeEach(facts, folder, notes, notesOf(facts, folder));
    const skipped = others.map((what) => ({ what, why: whyOther(what) }));
    append(facts.skipped, skipped);
    // A project may have files of the same names.
    if (folders.length > 1 && isHome(folder, home))
      for (const row of [...facts.read.slice(before), ...facts.skipped.slice(left)])
        row.what = `~/${row.what}`;
  }
  append(facts.relations, linksBetween(facts.observations.filter(({ key }) => key.startsWith('claude:'))));
  return facts;
}

type Taken = Facts & Required<Pick<Facts, 'read'>>;

/** The notes that a file becomes, or why it is left out. @param path on this machine */
type Become = (file: string, path: string) => ObservationFact[] | string;

function takeEach(
  { observations, read, skipped }: Taken,
  folder: string,
  files: Iterable<Below>,
  become: Become,
): void {
  for (const { path: what, kind } of files) {
    const path = join(folder, what);
    const made = kind === 'file' ? (unreadable(path, folder) ?? become(what, path)) : `a ${kind}`;
    if (typeof made !== 'string') {
      append(observations, made);
      read.push({ what, becomes: counted(made.length, 'observation') });
    } else if (!skipped.some((each) => each.what === what)) skipped.push({ what, why: made });
  }
}

/** Why a file is neither an instruction nor a note, as far as its name says. */
function whyOther(file: string): string {
  const folders = dirname(file).split('/');
  const stem = basename(file).replace(TEXT, '');
  if (isLog(stem)) return IS_LOG;
  if (folders.some((each) => CALLED.test(each)))
    return 'in a folder of decision records: "--from adr" reads those';
  if (/^skill$/i.test(stem) || folders.some((each) => OF_TASKS.test(each)))
    return 'a skill, a command or what belongs to one: an agent reads it for one task';
  return 'neither instructions nor notes of an agent, by its name';
}

const TEXT = /\.mdx?$/i;
const IS_LOG = 'a log of decisions: "--from adr" reads it';
/** Folders of what agents read for one task. */
const OF_TASKS = /^(?:skills|commands|prompts|agents|chatmodes)$/i;

const NONE: ReadonlySet<Below> = new Set();

/** Whether a folder is a home, where agents keep notes of all projects. Projects inside it are not read. */
const isHome = (folder: string, home: string | undefined) =>
  resolve(folder) === home ||
  ['.claude/projects', '.codex/memories'].some((each) => statHere(join(folder, each)));

/** The files of a project or a home; `others` is all other Markdown of a project. */
function filesIn(folder: string, home: string | undefined) {
  if (isHome(folder, home)) {
    const all = belowHome(folder);
    const notes = matching(NOTES, all);
    return { instructions: matching(INSTRUCTIONS.home, all), memories: NONE, notes, others: [] };
  }
  const all = below(folder, (name) => LEFT_OUT.includes(name));
  const instructions = matching(OF_PROJECT, all);
  const left = all.filter((each) => !instructions.has(each));
  const memories = matching(OF_MEMORY, left);
  const others = left.filter((each) => each.kind === 'file' && TEXT.test(each.path) && !memories.has(each));
  return { instructions, memories, notes: NONE, others: others.map(({ path }) => path).sort() };
}

/** The files that agents keep in a home. A link among them may lead elsewhere in the home, not out of it. */
function belowHome(home: string): Below[] {
  return OF_AGENTS.flatMap(([inner, levels]): Below[] => {
    const path = join(home, inner);
    if (!isFolder(path)) return [];
    if (leadsOut(path, home)) return [{ path: inner, kind: 'link out of the folder' }];
    const found = below(path, (name) => LEFT_OUT.includes(name), { levels, base: home });
    return found.map((each) => ({ ...each, path: `${inner}/${each.path}` }));
  });
}

/** The files that match patterns, in their order and by name; also links out of the folder, since a match may be behind one. */
function matching(patterns: readonly string[], all: Below[]): Set<Below> {
  // Two folders of a home may be one, as two patterns name it.
  const once = new Map(all.map((each) => [each.path, each])).values();
  const files = [...once].filter(({ kind }) => kind !== 'folder').sort((a, b) => (a.path < b.path ? -1 : 1));
  const fitting = patterns.map((pattern) => {
    const fits = ofPattern(pattern);
    const isBehind = ({ path, kind }: Below) => kind !== 'file' && pattern.startsWith(`${path}/`);
    return files.filter((each) => fits.test(each.path) || isBehind(each));
  });
  return new Set(fitting.flat());
}

/** The files that match a pattern. */
export const ofPattern = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.+]/g, '\\$&')
      .replace(/\*\*\/|\*/g, (mark) => (mark === '*' ? '[^/]*' : '(?:.*/)?'))}$`,
  );

function instructionsOf(facts: Facts, folder: string, isHome: boolean, seen: Map<string, string>): Become {
  const project = isHome ? null : basename(folder);
  return (file, path) => {
    const source = readSource(facts, path, file, folder);
    const text = source.text.trim();
    const same = seen.get(text);
    const link = linkOf(path, text, folder);
    if (link !== undefined) return `a link to ${link}`;
    if (same !== undefined) return `the same text as ${same}`;
    if (text === '') return 'empty';
    seen.set(text, file);
    if (/^CLAUDE/.test(basename(file))) warnMissing(facts, file, source.text, path, folder);
    const name = RULES.test(file) ? basename(file) : file;
    return sectionsOf(name, source, { key: `${project ?? '~'}/${file}`, type: 'instruction', project });
  };
}

function readSource({ warnings }: Facts, path: string, file: string, folder: string): SourceText {
  const source = readText(path, folder);
  if (source.isDamaged) warnings.push(`${file}: bytes that are no UTF-8 became U+FFFD`);
  const { problem } = frontMatter(quotedGlobs(source.text));
  if (problem !== undefined) warnings.push(`${file}: ${problem}; it is taken as a plain text`);
  return source;
}

/** Where a link leads: one of the file system, or a file that git wrote in place of one. */
function linkOf(path: string, text: string, folder: string): string | undefined {
  if (lstatSync(path).isSymbolicLink()) return 'another file';
  const isName = text.length < 200 && !text.includes('\n') && /\.md$/.test(text) && !text.includes(' ');
  return isName && !isMissing(text, path, folder) && isInside(resolve(dirname(path), text), folder)
    ? text
    : undefined;
}

/** Whether a file that another one names is missing. Never true of files outside the folder. */
function isMissing(named: string, path: string, folder: string): boolean {
  const target = resolve(dirname(path), named);
  return isInside(target, folder) && !statHere(target);
}

/** Names files that a file includes and that are missing; names inside code include nothing. */
function warnMissing(facts: Facts, file: string, text: string, path: string, folder: string): void {
  const included = [...withoutCode(text).matchAll(IMPORT)].map(([, name = '']) => name);
  const named = [...new Set(included)].slice(0, NAMED);
  const missing = named.filter((each) => !each.startsWith('~') && isMissing(each, path, folder));
  if (missing.length === 0) return;
  const list = missing.map((each) => `@${each}`).join(' and ');
  facts.warnings.push(`${file} names ${list}, which ${missing.length === 1 ? 'is' : 'are'} not there`);
}

/** Notes of Serena and files of memory banks, one a file. */
function memoryOf(facts: Facts, folder: string): Become {
  const project = basename(folder);
  return (file, path) => {
    const name = basename(file).replace(/\.md$/i, '');
    if (!/\.md$/i.test(file)) return 'no Markdown';
    if (isLog(name)) return IS_LOG;
    const source = readSource(facts, path, file, folder);
    const { values: rest, body } = wholeFrontMatter(source.text);
    const content = body.trim();
    if (content === '') return 'empty';
    const title = (/^#\s+(.+)$/m.exec(body)?.[1] ?? name).trim();
    const of = { key: `${project}/${file}`, at: source.changedAt, isUndated: true as const, project };
    return [{ ...BARE, ...of, title, content, type: 'note', rest }];
  };
}

/** Notes of Claude Code, one a file, and of Codex, one a section. */
function notesOf(facts: Facts, folder: string): Become {
  return (file, path) => {
    const name = basename(file);
    const project = file.split('/')[2] ?? '';
    if (name === 'memory_summary.md') return 'generated';
    if (file.startsWith('.claude') && name === 'MEMORY.md') {
      const links = [...readText(path, folder).text.matchAll(/\]\(([^()]+\.md)\)/g)].slice(0, NAMED);
      const missing = links.map(([, target = '']) => target).filter((each) => isMissing(each, path, folder));
      append(
        facts.warnings,
        missing.map((target) => `MEMORY.md names ${target}, which is not there`),
      );
      return 'an index';
    }
    const source = readSource(facts, path, file, folder);
    return file.startsWith('.claude')
      ? [memoryFile(name, project, source)]
      : sectionsOf(name, source, { key: `codex:${name}`, type: 'note', project: null });
  };
}

/** Types of notes about the person, in whatever project they were learned. */
const PERSONAL = ['user', 'feedback'];
const LINK = /\[\[([^[\]|#]+)(?:[|#][^[\]]*)?\]\]/g;

/** A note that Claude Code wrote down by itself, in either form of its front matter. */
function memoryFile(name: string, project: string, { text, changedAt }: SourceText): ObservationFact {
  const { values, body } = wholeFrontMatter(text);
  const more = (values.metadata ?? {}) as Record<string, unknown>;
  const stem = name.replace(/\.md$/, '');
  const type = String(more.type ?? values.type ?? 'note');
  const modified = Date.parse(String(more.modified ?? '')) || undefined;
  const session = more.originSessionId ?? values.originSessionId;
  const { name: title, type: _, originSessionId: __, metadata: ___, ...rest } = values;
  const { type: ____, originSessionId: _____, modified: ______, node_type: _______, ...other } = more;
  return {
    key: `claude:${project}/${name}`,
    at: modified ?? changedAt,
    ...(modified === undefined && { isUndated: true as const }),
    session: session === undefined ? undefined : String(session),
    title: String(title ?? stem),
    content: body.trim(),
    type,
    project,
    scope: PERSONAL.includes(type) ? 'personal' : 'project',
    topicKey: `claude:${project}/${stem}`,
    rest: { ...rest, ...other },
  };
}

/** Links between such notes, by their titles and names: `[[project-tokens]]`. */
function linksBetween(notes: ObservationFact[]): Facts['relations'] {
  const keys = new Map<string, string>();
  for (const { key, title } of notes) {
    const stem = (key.split('/').at(-1) ?? '').replace(/\.md$/, '');
    for (const name of [title, stem, stem.replaceAll('_', '-')]) keys.set(name.toLowerCase(), key);
  }
  return notes.flatMap((note) =>
    [...new Set([...note.content.matchAll(LINK)].map(([, name = '']) => name.trim()))].map((name) =>
      linkFact(note.key, 'links_to', keys.get(name.toLowerCase()) ?? name, { at: note.at, isUndated: true }),
    ),
  );
}

const IMPORT = /(?<![\w`])@((?:~|\.{0,2}\/)?[\w./-]+\.\w+)/g;
/** Cursor writes globs that are not YAML: they begin with an asterisk, which is an alias in YAML. */
const GLOBS = /^(globs:[ \t]*)([^\s"'[].*)$/m;

/**
 * The instructions in a file, one observation for each section: people change one section at a time.
 * @param name the file, as it is named in its place
 */
function sectionsOf(
  name: string,
  source: SourceText,
  { key: file, type, project }: Pick<ObservationFact, 'key' | 'type' | 'project'>,
): ObservationFact[] {
  const { values, body } = wholeFrontMatter(quotedGlobs(source.text));
  const { top, sections } = sectionsIn(body);
  const heading = /^#\s+(.+)$/m.exec(top)?.[1]?.trim();
  const lead = top.replace(/^#\s+.+$/m, '').trim();
  const fact = (key: string, title: string, content: string): ObservationFact => ({
    ...BARE,
    key,
    at: source.changedAt,
    isUndated: true,
    title,
    content,
    type,
    project,
    scope: project === null ? 'personal' : 'project',
    rest: values,
  });
  const seen = new Map<string, number>();
  const parts = sections.map(({ heading: title, body: content }) => {
    const count = (seen.get(title) ?? 0) + 1;
    seen.set(title, count);
    return fact(`${file}#${title}${count === 1 ? '' : `#${count}`}`, `${name}: ${title}`, content.trim());
  });
  return lead === ''
    ? parts
    : [fact(file, heading === undefined ? name : `${name}: ${heading}`, lead), ...parts];
}

/** The front matter of Cursor as YAML. */
function quotedGlobs(text: string): string {
  return text.startsWith('---')
    ? text.replace(GLOBS, (_, name, globs) => name + JSON.stringify(globs))
    : text;
}
