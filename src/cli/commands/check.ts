import { STRENGTHS } from '../../domain/decision.ts';
import { invalid, PrecedentError } from '../../domain/error.ts';
import type { Facts } from '../../domain/import/facts.ts';
import { marksIn } from '../../domain/place.ts';
import { iso } from '../../domain/text/moment.ts';
import { here } from '../../files/surroundings.ts';
import { type Change, changeOf, contentsOf } from '../../git/change.ts';
import { askable, type GitFolder } from '../../git/folder.ts';
import { decisionsSaid } from '../../git/questions.ts';
import type { MemoryCore } from '../../memory/core.ts';
import type { Result } from '../../operations/index.ts';
import { authorHere } from '../author.ts';
import { asMarkdown, asSarif, inText, nothingIn, type Report, type Touched } from '../check/report.ts';
import { type StaleReport, staleAsMarkdown, staleInText, staleOf } from '../check/stale.ts';
import { emptyMemory, openHere, using } from '../open.ts';
import { type Answer, inJson, log, NOT_FOUND, writeOut } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';
import type { PlaceOptions } from '../place.ts';
import { noMemory } from '../workspaces/memories.ts';

export const check = defineCommand({
  name: 'check',
  summary: 'Which decisions name the files of a change',
  about: `Shows which active decisions name the files of a change, what failed there before, what was decided twice, and which locks and axes it touches without mentioning them. A mention is a new version or outcome that an author of the change saved since the commit that it starts from, or a line "Decision: auth:session" in a commit message of the change. With --strict, a lock or an axis without a mention makes the exit code 1; other decisions never do.
Axes and locks are read from the memory. Where there is none, as in CI, it is read from the decision records of the repository, at the commit that the change starts from: "affects: src/auth/**" names the files of a record, "strength: lock" makes it binding, and a record of the change that supersedes it is a mention.
With --stale it names, by file and line, the sentences of the repository's CLAUDE.md, AGENTS.md, rules, README and standing decision records that still say what was replaced, withdrawn or failed. With --strict, one that says what was replaced in this change makes the exit code 1.`,
  examples: [
    'check',
    'check main...HEAD --format markdown',
    'check --staged --strict',
    'check main...HEAD --stale',
  ],
  arguments: { range: { about: 'main...HEAD, or main alone; default: what is staged' } },
  options: {
    staged: { about: 'check what is staged; the default' },
    format: {
      about: 'the form of the report',
      value: 'format',
      choices: ['text', 'markdown', 'json', 'sarif'],
    },
    stale: { about: 'name sentences of CLAUDE.md, rules and other files that still say what was replaced' },
    strict: { about: 'exit code 1 for a lock or an axis without a mention, 2 if nothing is recorded' },
  },
  async run({ range, staged, format = 'text', stale, strict }, place): Promise<Answer | undefined> {
    if (staged && range !== undefined)
      throw invalid.both_given(`Expected a range or --staged, found both: "${range}".`);
    const git = askable(here().cwd());
    if (!git)
      throw invalid.wrong_folder('Expected a git repository, found none that git may read. Run this in one.');
    const [base = '', head = ''] = range?.split(/\.{2,3}/) ?? [];
    const change = await changeOf(
      git,
      range === undefined ? undefined : { base: base || 'HEAD', head: head || 'HEAD' },
    );
    if ('problem' in change)
      throw invalid.wrong_range(`Expected a change that git can read: ${change.problem}.`);
    if (stale) return reportStale(await staleOf(git, change, place), format, strict);
    const authors = range === undefined ? [await authorHere(here().env)] : change.authors;
    const report = await reportOf(git, { ...change, authors }, place);
    const nothing = nothingIn(report);
    if (strict && nothing !== undefined) throw invalid.nothing_to_check(nothing);
    const isRefused = strict && report.unsaid > 0;
    if (format === 'text') return { report, view: await inText(report), ...(isRefused && { found: false }) };
    writeOut(
      format === 'markdown' ? asMarkdown(report) : inJson(format === 'json' ? report : asSarif(report)),
    );
    if (isRefused) here().exitCode = NOT_FOUND;
    return undefined;
  },
});

/** The files that still say what holds no longer; strictly, what the change itself replaced is an error (CC-2). */
function reportStale(report: StaleReport, format: string, strict: boolean | undefined): Answer | undefined {
  const isRefused = strict && report.ofChange > 0;
  if (format === 'text') return { report, view: staleInText(report), ...(isRefused && { found: false }) };
  if (format === 'sarif')
    throw invalid.not_applicable('Expected --format text, markdown or json with --stale, found sarif.');
  writeOut(format === 'markdown' ? staleAsMarkdown(report) : inJson(report));
  if (isRefused) here().exitCode = NOT_FOUND;
  return undefined;
}

/** By the memory that is meant; where there is none, by decision records as they were before the change. */
async function reportOf(git: GitFolder, change: Change, options: PlaceOptions): Promise<Report> {
  const { place, memory } = await openHere(options);
  const files = change.files.length;
  type By = {
    from: Report['from'];
    isSaid: (row: Row) => Promise<boolean>;
    since?: number;
    added?: string[];
  };
  const reportBy = (core: MemoryCore, { from, isSaid, since, added = [] }: By) =>
    using(core, async (): Promise<Report> => {
      const { changed, named } = await changedIn(git, change, core, options);
      const now = await naming(core, changed);
      const rows =
        since === undefined ? now : await withEarlier(core, now, await naming(core, changed, since));
      const decisions = await spokenOf(rows, change, isSaid);
      const others = named.filter((name) => !added.includes(name));
      const unknown = await unknownOf(core, others);
      const unsaid = decisions.filter(({ state }) => state === 'unsaid').length;
      return { files, decisions, unsaid, ...(unknown.length > 0 && { unknown }), from };
    });
  const isOfChange = oneOf(change.authors);
  if (memory)
    return reportBy(memory, {
      from: { memory: memory.workspace },
      isSaid: ({ id }) => saysMore(memory, id, change.since, isOfChange),
      ...(change.since < Date.now() && { since: change.since }),
    });
  // The name may be mistyped.
  if (place.isNamed) throw await noMemory(place);
  const { recordsOfChange } = await import('../../memory/importing.ts');
  const { before, after } = await recordsOfChange(git, change);
  for (const { what, why } of before.skipped) log(`left out: ${what}: ${why}`);
  const from = { records: before.decisions.length, commit: change.base };
  if (from.records === 0) return { files, decisions: [], unsaid: 0, from };
  const scratch = await emptyMemory(place);
  await scratch.merge(before);
  return reportBy(scratch, {
    from,
    isSaid: async (row) => isNewer(before, after, row),
    added: after.decisions.flatMap(({ topic }) => topic ?? []),
  });
}

type Row = Result<'mama_files'>['results'][number] & Pick<Touched, 'earlier'>;
type Changed = { file: string; formerly: string[]; marked: string[] };

/**
 * The files of a change, with what they were called earlier (F-3), and what they named as decisions before it (F-1); and what its
 * messages and new comments name.
 */
async function changedIn(
  git: GitFolder,
  { files, messages }: Change,
  memory: MemoryCore,
  options: PlaceOptions,
): Promise<{ changed: Changed[]; named: string[] }> {
  const { formerNames, movedIn } = await import('../repository/vanished.ts');
  const moved = await movedIn(memory, options);
  const marks = new Map<string, string[]>();
  for await (const [id, names] of marksOf(
    git,
    files.flatMap(({ before }) => before ?? []),
  ))
    marks.set(id, names);
  const changed = files.map(({ path, before = '', isModule }) => {
    const file = path.normalize('NFC');
    const formerly = [...formerNames(moved, file), ...(isModule ? [`${file}/.`] : [])];
    return { file, formerly, marked: marks.get(before) ?? [] };
  });
  const old = new Set([...marks.values()].flat());
  const named = new Set(decisionsSaid(messages));
  const added = files.flatMap(({ after }) => (after !== undefined && !marks.has(after) ? after : []));
  for await (const [, names] of marksOf(git, added)) {
    for (const name of names) if (!old.has(name)) named.add(name);
    if (named.size > MOST_KEPT) break;
  }
  return { changed, named: [...named] };
}

/** Names that are kept of what a change adds. */
const MOST_KEPT = 10_000;

/** What files name as decisions, for those that do. */
async function* marksOf(git: GitFolder, ids: string[]): AsyncGenerator<[id: string, names: string[]]> {
  for await (const [id, bytes] of contentsOf(git, ids)) {
    const names = marksIn(bytes.toString()).slice(0, MOST_ASKED);
    // A copy: a part of a text keeps all of it in memory (Z-15).
    if (names.length > 0) yield [id, structuredClone(names)];
  }
}

/** Names that are looked up for a hint. */
const MOST_NAMES = 20;

/** What is wrong with names that mean no decision: they may be mistyped. Those of files are left out. */
async function unknownOf(memory: MemoryCore, named: string[]): Promise<string[]> {
  const unknown: string[] = [];
  for (const id of named.filter((name) => !/\.md$/i.test(name)).slice(0, MOST_NAMES))
    await memory.call('decision_get', { id }).catch((error: unknown) => {
      if (!(error instanceof PrecedentError)) throw error;
      unknown.push(error.message);
    });
  return unknown;
}

/** Names of a file and in it that are asked about, at most. */
const MOST_ASKED = 1_000;
/** Values of one question: a call takes 5,000 (Z-12). */
const MOST_AT_ONCE = 4_000;
/** Values of a file without its names: the file itself and its three fields. */
const OF_FILE = 4;

/** The files of a change, as many together as one call may ask about. */
function* inQuestions(changed: Changed[]): Generator<Changed[]> {
  let some: Changed[] = [];
  let values = 0;
  for (const each of changed) {
    const more = OF_FILE + each.formerly.length + each.marked.length;
    if (values + more > MOST_AT_ONCE) {
      yield some;
      [some, values] = [[], 0];
    }
    some.push(each);
    values += more;
  }
  yield some;
}

/** The decisions that name files of a change. @param then when, in milliseconds UTC; now when left out */
async function naming(memory: MemoryCore, changed: Changed[], then?: number): Promise<Row[]> {
  const moment = then === undefined ? {} : { as_of: iso(then) };
  const rows = new Map<string, Row>();
  for (const some of inQuestions(changed)) {
    const found = (await memory.call('mama_files', { changed: some, ...moment })) as Result<'mama_files'>;
    for (const row of found.results) {
      const touches = [...(rows.get(row.id)?.touches ?? []), ...(row.touches ?? [])];
      rows.set(row.id, { ...(rows.get(row.id) ?? row), touches });
    }
  }
  return [...rows.values()];
}

/**
 * The decisions that name files of a change, with those that bound them when it began: who takes a file off, or makes a lock a
 * normal decision, does not free the change.
 */
async function withEarlier(memory: MemoryCore, now: Row[], then: Row[]): Promise<Row[]> {
  const rows = [...now];
  for (const earlier of then) {
    if (!earlier.binds || rows.some(({ id }) => id === earlier.id)) continue;
    const asked = await memory.call('decision_get', { id: earlier.id });
    const { decision, versions } = asked as Result<'decision_get'>;
    if (versions.every(({ mistaken }) => mistaken)) continue;
    // It was active then, and perhaps decided twice.
    const ended = { is_current: false, status: 'superseded' as const, decided_twice: undefined };
    const since = decision.isActive ? {} : ended;
    const at = rows.findIndex((row) => versions.some(({ id }) => id === row.id));
    const { touches: still = [], binds } = rows[at] ?? {};
    const touches = [...new Set([...still, ...(earlier.touches ?? [])])];
    if (binds && touches.length === still.length) continue;
    const row = { ...(rows[at] ?? { ...earlier, ...since }), touches, binds: true, earlier: true as const };
    rows.splice(at < 0 ? rows.length : at, at < 0 ? 0 : 1, row);
  }
  return rows;
}

/** Whether the records say something newer of a topic than before, and still all that they said. */
function isNewer(before: Facts, after: Facts, { topic }: Row): boolean {
  const said = ({ decisions }: Facts) => decisions.filter((each) => each.topic === topic);
  const now = said(after);
  const isKept = said(before).every(({ key }) => now.some((each) => each.key === key));
  const shown = (facts: ReturnType<typeof said>) =>
    JSON.stringify(
      facts.map(({ text, reasoning, outcome, withdrawn }) => [text, reasoning, outcome, withdrawn]),
    );
  return isKept && shown(now) !== shown(said(before));
}

/**
 * The decisions of a change: those that bind first, then what failed.
 * @param isSaid whether one that binds is mentioned other than in a message
 */
async function spokenOf(rows: Row[], { messages }: Change, isSaid: (row: Row) => Promise<boolean>) {
  const trailers = new Set(decisionsSaid(messages));
  const touched: Touched[] = [];
  for (const row of rows) {
    const inMessage = [row.topic, row.ref, row.id].some((name) => name !== null && trailers.has(name));
    const state = !row.binds ? 'free' : inMessage || (await isSaid(row)) ? 'said' : 'unsaid';
    touched.push({ ...row, touches: row.touches ?? [], state });
  }
  const rank = ({ strength, binds, outcome_warning, earlier_failure }: Touched) =>
    STRENGTHS.indexOf(binds && strength === 'normal' ? 'lock' : strength) -
    (outcome_warning || earlier_failure ? 0.5 : 0);
  return touched.sort((a, b) => rank(a) - rank(b));
}

/**
 * Whether the authors of a change said something else of a decision than before a time, in milliseconds UTC: its text, why, or how
 * it turned out. Other files say nothing, nor does what was undone, nor what somebody else said (TR-1).
 */
async function saysMore(
  memory: MemoryCore,
  id: string,
  time: number,
  isOfChange: (author: string | undefined) => boolean,
): Promise<boolean> {
  const { versions } = (await memory.call('decision_get', { id })) as Result<'decision_get'>;
  const isLater = ({ createdAt }: { createdAt: string }) => Date.parse(createdAt) > time;
  if (
    versions
      .flatMap(({ outcomes }) => outcomes)
      .some((each) => !each.retracted && isLater(each) && isOfChange(each.author))
  )
    return true;
  type Version = (typeof versions)[number];
  const isOther = (a?: Version, b?: Version) => a?.text !== b?.text || a?.reasoning !== b?.reasoning;
  const kept = versions.filter(({ mistaken }) => !mistaken).sort((a, b) => a.version - b.version);
  return (
    isOther(
      kept.findLast((each) => !isLater(each)),
      kept.at(-1),
    ) && kept.some((each, at) => isLater(each) && isOther(kept[at - 1], each) && isOfChange(each.author))
  );
}

/** Whether an author is one of these: by the e-mail where both have one, else by the name. */
function oneOf(authors: string[]): (author: string | undefined) => boolean {
  const parts = (author: string) => {
    const [, name = '', email] = /^([^<]*)(?:<([^<>]*)>)?/.exec(author.trim()) ?? [];
    return { name: name.trim(), email: email?.toLowerCase() };
  };
  const known = authors.map(parts);
  return (author = '') => {
    const { name, email } = parts(author);
    return known.some((each) =>
      each.email && email ? each.email === email : each.name !== '' && each.name === name,
    );
  };
}
