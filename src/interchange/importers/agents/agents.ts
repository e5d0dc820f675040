import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { INSTRUCTIONS } from '../../../agents/agents.ts';
import { append } from '../../../domain/append.ts';
import { type Facts, noFacts, type ObservationFact } from '../../../domain/import/facts.ts';
import { isInside, leadsOut } from '../../../files/bounded.ts';
import { statHere } from '../../../files/machines.ts';
import { isLog } from '../adr/log.ts';
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
      return instructions.length + memories.length + notes.length > 0;
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
    readInstructions(facts, folder, instructions, isHome(folder, home), seen);
    readMemories(facts, folder, memories);
    readNotes(facts, folder, notes);
    append(
      facts.skipped,
      others.map((what) => ({ what, why: 'no agent reads or writes it' })),
    );
    // A project may have files of the same names.
    if (folders.length > 1 && isHome(folder, home))
      for (const row of [...facts.read.slice(before), ...facts.skipped.slice(left)])
        row.what = `~/${row.what}`;
  }
  append(facts.relations, linksBetween(facts.observations.filter(({ key }) => key.startsWith('claude:'))));
  return facts;
}

type Taken = Facts & Required<Pick<Facts, 'read'>>;

/** Takes what a file became. */
function take({ observations, read }: Taken, what: string, made: ObservationFact[]): void {
  append(observations, made);
  read.push({ what, becomes: counted(made.length, 'observation') });
}

/** Whether a folder is a home, where agents keep notes of all projects. Projects inside it are not read. */
const isHome = (folder: string, home: string | undefined) =>
  resolve(folder) === home ||
  ['.claude/projects', '.codex/memories'].some((each) => statHere(join(folder, each)));

/** The files of a project or a home; `others` is all other Markdown of a project. */
function filesIn(folder: string, home: string | undefined) {
  if (isHome(folder, home)) {
    const all = belowHome(folder);
    const notes = distinct(NOTES, all);
    return { instructions: distinct(INSTRUCTIONS.home, all), memories: [], notes, others: [] };
  }
  const all = below(folder, (name) => LEFT_OUT.includes(name));
  const instructions = distinct(OF_PROJECT, all);
  const known = new Set(instructions.map(({ path }) => path));
  const memories = distinct(OF_MEMORY, all).filter(({ path }) => !known.has(path));
  for (const { path } of memories) known.add(path);
  const others = all.filter(({ path, kind }) => kind === 'file' && /\.md$/i.test(path) && !known.has(path));
  return { instructions, memories, notes: [], others: others.map(({ path }) => path).sort() };
}

const distinct = (patterns: readonly string[], all: Below[]): Below[] => [
  ...new Map(patterns.flatMap((each) => matching(all, each)).map((each) => [each.path, each])).values(),
];

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

/** The files that match a pattern, by name; also links out of the folder, since a match may be behind one. */
function matching(all: Below[], pattern: string): Below[] {
  const fits = ofPattern(pattern);
  return all
    .filter(
      ({ path, kind }) =>
        kind !== 'folder' && (fits.test(path) || (kind !== 'file' && pattern.startsWith(`${path}/`))),
    )
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What matches a pattern of files. */
export const ofPattern = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[.+]/g, '\\$&')
      .replace(/\*\*\/|\*/g, (mark) => (mark === '*' ? '[^/]*' : '(?:.*/)?'))}$`,
  );

/** The files that can be read; the others are listed as skipped. */
function readable(facts: Facts, folder: string, files: Below[]): string[] {
  return files.flatMap(({ path: what, kind }) => {
    const why = kind === 'file' ? unreadable(join(folder, what), folder) : `a ${kind}`;
    const isSaid = facts.skipped.some((each) => each.what === what);
    if (why !== undefined && !isSaid) facts.skipped.push({ what, why });
    return why === undefined ? [what] : [];
  });
}

function readInstructions(
  facts: Taken,
  folder: string,
  files: Below[],
  isHome: boolean,
  seen: Map<string, string>,
): void {
  const project = isHome ? null : basename(folder);
  for (const file of readable(facts, folder, files)) {
    const path = join(folder, file);
    const source = readSource(facts, path, file, folder);
    const text = source.text.trim();
    const same = seen.get(text);
    const link = linkOf(path, text, folder);
    if (link !== undefined) facts.skipped.push({ what: file, why: `a link to ${link}` });
    else if (same !== undefined) facts.skipped.push({ what: file, why: `the same text as ${same}` });
    else if (text === '') facts.skipped.push({ what: file, why: 'empty' });
    else {
      seen.set(text, file);
      const name = RULES.test(file) ? basename(file) : file;
      const of = { key: `${project ?? '~'}/${file}`, type: 'instruction', project };
      take(facts, file, sectionsOf(name, source, of));
      if (/^CLAUDE/.test(basename(file))) warnMissing(facts, file, source.text, path, folder);
    }
  }
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
function readMemories(facts: Taken, folder: string, files: Below[]): void {
  const project = basename(folder);
  for (const file of readable(facts, folder, files)) {
    const name = basename(file).replace(/\.md$/i, '');
    const isText = /\.md$/i.test(file);
    if (!isText || isLog(name)) {
      const why = isText ? 'a log of decisions: "--from adr" reads it' : 'no Markdown';
      facts.skipped.push({ what: file, why });
      continue;
    }
    const source = readSource(facts, join(folder, file), file, folder);
    const { values, body } = wholeFrontMatter(source.text);
    const [, heading = name] = /^#\s+(.+)$/m.exec(body) ?? [];
    if (body.trim() === '') facts.skipped.push({ what: file, why: 'empty' });
    else
      take(facts, file, [
        {
          ...BARE,
          key: `${project}/${file}`,
          at: source.changedAt,
          isUndated: true,
          title: heading.trim(),
          content: body.trim(),
          type: 'note',
          project,
          rest: values,
        },
      ]);
  }
}

/** Notes of Claude Code, one a file, and of Codex, one a section. */
function readNotes(facts: Taken, folder: string, files: Below[]): void {
  for (const file of readable(facts, folder, files)) {
    const path = join(folder, file);
    const name = basename(file);
    const project = file.split('/')[2] ?? '';
    if (name === 'memory_summary.md') facts.skipped.push({ what: file, why: 'generated' });
    else if (!file.startsWith('.claude')) {
      const of = { key: `codex:${name}`, type: 'note', project: null };
      take(facts, file, sectionsOf(name, readSource(facts, path, file, folder), of));
    } else if (name === 'MEMORY.md') {
      facts.skipped.push({ what: file, why: 'an index' });
      const links = [...readText(path, folder).text.matchAll(/\]\(([^()]+\.md)\)/g)].slice(0, NAMED);
      const named = links.map(([, target = '']) => target);
      for (const target of named.filter((each) => isMissing(each, path, folder))) {
        facts.warnings.push(`MEMORY.md names ${target}, which is not there`);
      }
    } else take(facts, file, [memoryFile(name, project, readSource(facts, path, file, folder))]);
  }
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
    key,
    at: source.changedAt,
    isUndated: true,
    title,
    content,
    type,
    project,
    scope: project === null ? 'personal' : 'project',
    topicKey: null,
    rest: values,
  });
  const first = lead === '' ? [] : [fact(file, heading === undefined ? name : `${name}: ${heading}`, lead)];
  const seen = new Map<string, number>();
  return [
    ...first,
    ...sections.map(({ heading: title, body: content }) => {
      const before = seen.get(title) ?? 0;
      seen.set(title, before + 1);
      return fact(
        `${file}#${title}${before === 0 ? '' : `#${before + 1}`}`,
        `${name}: ${title}`,
        content.trim(),
      );
    }),
  ];
}

/** The front matter of Cursor as YAML. */
function quotedGlobs(text: string): string {
  return text.startsWith('---')
    ? text.replace(GLOBS, (_, name, globs) => name + JSON.stringify(globs))
    : text;
}
