import { dirname, resolve } from 'node:path';
import { cutToTokens, estimateTokens } from '../../domain/text/tokens.ts';
import { readIfOrdinary } from '../../files/bounded.ts';
import { statHere } from '../../files/machines.ts';
import { pathIn } from '../../files/path-in.ts';
import { findGitFolder, placedIn } from '../../git/folder.ts';
import type { Fact } from '../../operations/briefing/line.ts';
import type { Touching } from '../event.ts';
import { type Hearing, saying } from '../hearing.ts';
import { type Context, filled, LIMITS, topicOf } from '../page.ts';
import { CHANGED, type Session, wordHash } from '../session.ts';
import { askAt } from './deciding.ts';

/** For how many later files a fully shown record is named again, and the maximum tokens of its name. */
const AGAIN = { files: 3, name: 14 };

/**
 * Shows the records that the text of an edit or a command names (RE-5), then those that bind the files that a
 * tool reads or changes. Each record is shown in full once per context (RE-2, RE-3); a subagent has its own
 * context. After a save that names no files, it offers the files that the session has changed, once; it
 * stores nothing by itself (F-1).
 * @param told the result of {@link namedBy}, if it was already called
 */
export async function onFiles(event: Touching, hearing: Hearing, told?: Fact[]): Promise<void> {
  if (event.saved !== '') return onSave(event, hearing);
  const { agent, writing } = event;
  const { places, facts, hashOf, layout } = await bindingAt(event, hearing);
  const under = agent === '' ? '' : `${agent} `;
  const stale = await staleAt(event, hearing, `${under}${STALE}`);
  const named = told ?? (await namedBy(event, hearing));
  const moment = event.isPlan ? 'plan' : writing && COMMIT.test(writing.command) ? 'commit' : undefined;
  if (places.length === 0 && named.length === 0 && moment === undefined) return;
  const deed = wordHash(hearing.session, JSON.stringify([writing?.command, writing?.edits]));
  await hearing.say((state) => {
    const before = ({ id }: Fact) => state.said[under + id];
    // Show the record at the edit or command even if it was already shown for a prompt or a file.
    const now = named.filter(({ id }) => state.said[`${under}written ${id}`] === undefined);
    const isNow = new Set(now.map(({ id }) => id));
    const others = facts.filter(({ id }) => !isNow.has(id));
    const fresh = others.filter((fact) => before(fact) === undefined);
    const again = others.filter((fact) => {
      const said = fact.binds ? before(fact) : undefined;
      return said && said.length <= AGAIN.files && !said.includes(hashOf(fact.id));
    });
    const ask = moment && askAt(moment, state);
    const context = fileContext(now, fresh, again, stale.lines, ask?.line);
    const changed = event.isRead
      ? state.changed
      : [...new Set([...state.changed, ...places])].slice(-CHANGED);
    const shown = context.shown.flatMap((id): [string, string][] => [
      [under + id, hashOf(id)],
      ...(isNow.has(id) ? [[`${under}written ${id}`, deed] as [string, string]] : []),
    ]);
    shown.push(...stale.read.map((hash): [string, string] => [`${under}${STALE}`, hash]));
    const broken = named.map(({ id }) => id).filter((id) => isBroken(id, under, deed, state));
    return {
      ...context,
      broken,
      whenShown: { ...saying(state, shown), ...ask?.change },
      always: { changed, ...(layout && { layout }) },
    };
  });
}

/**
 * Whether a call contradicts a record that the agent has already seen, at another call or at the start (V-4).
 * Counted once, because the record is shown only once.
 * @param deed the call, which some agents send before and after it is made
 */
function isBroken(id: string, under: string, deed: string, { started, said, told }: Session): boolean {
  const wasTold = said[under + id] !== undefined || (under === '' && started.includes(id));
  const isSame = said[`${under}written ${id}`]?.includes(deed) === true;
  return wasTold && !isSame && !told.some(({ broken }) => broken?.includes(id));
}

/** A command that commits. */
const COMMIT = /\bgit\s+(?:-\S+\s+){0,20}commit\b/;

/** The names in the text of a change or a command. */
export async function namedBy({ writing }: Touching, { briefing, cwd }: Hearing): Promise<Fact[]> {
  if (!writing) return [];
  // Loaded here: most events only read.
  const { namedInWriting } = await import('../named.ts');
  const { folder, top } = placedIn(cwd);
  return namedInWriting(briefing, writing, (file) => {
    const [path] = placesOf(cwd, file);
    const content = () =>
      readIfOrdinary(resolve(folder, file), { first: CONTENT, within: top })?.toString('utf8') ?? '';
    return path === undefined ? undefined : { path, content };
  });
}
/** Bytes of a file that are read. */
const CONTENT = 200_000;

/** The rules of files, and the hash by which the session remembers the file of each record. */
async function bindingAt({ files, isRead, marked }: Touching, hearing: Hearing) {
  const { briefing, session } = hearing;
  const { places, paths, layout } = await placed(files, hearing);
  if (places.length === 0) return { places, facts: [], hashOf: () => '', layout };
  const wide = new Set(layout?.wide);
  const found = await briefing.atFiles({ paths, isRead, marked });
  const facts = found.filter(({ match }) => match?.by !== 'pattern' || !wide.has(match.of));
  const [only, ...others] = places;
  const hashes = new Map(
    facts.map(({ id, match }) => {
      const at = others.length === 0 ? only : match?.at;
      return [id, wordHash(session, at ?? '')];
    }),
  );
  return { places, facts, hashOf: (id: string) => hashes.get(id) ?? '', layout };
}

/** A file that may instruct, and how many of its sentences are named. */
const INSTRUCTS = /\.(?:mdc?|markdown|rst|adoc|asciidoc)$|rules$/i;
const MOST_STALE = 3;
/** The key under which a session stores the files whose outdated sentences were reported. */
const STALE = 'stale';

/** Sentences of files being read that state an outdated record (CC-2); each file once per context. */
async function staleAt({ files, isRead }: Touching, hearing: Hearing, under: string) {
  const { briefing, cwd, session, state } = hearing;
  const { corrections } = briefing;
  const none = { lines: [], read: [] };
  const asked = isRead && corrections ? files.filter((file) => INSTRUCTS.test(file)) : [];
  if (!corrections || asked.length === 0) return none;
  const { folder, top } = placedIn(cwd);
  const known = state().said[under] ?? [];
  const paths = asked.flatMap((file) => pathIn(top, folder, file) || []);
  const fresh = paths.filter((path) => !known.includes(wordHash(session, path)));
  if (fresh.length === 0) return none;
  // Loaded here: it reads Markdown, and most files are code.
  const { staleRead } = await import('../../memory/stale.ts');
  const stale = (await staleRead(top, fresh, corrections)).slice(0, MOST_STALE);
  const lines = stale.map(({ file, line, says }) => `${file}:${line} still says ${says}`);
  return { lines, read: lines.length > 0 ? fresh.map((path) => wordHash(session, path)) : [] };
}

const AT_FILE = 'On the file at hand:';
const AT_TEXT = 'On what this writes or runs:';

/**
 * The answer to a file.
 * @param now records that the text names
 * @param again records already shown in full
 * @param stale outdated sentences of the file
 * @param ask a question to put first
 */
function fileContext(now: Fact[], fresh: Fact[], again: Fact[], stale: string[], ask?: string): Context {
  const named: string[] = [];
  const head = now.length > 0 ? [AT_TEXT] : fresh.length + stale.length > 0 ? [AT_FILE] : [];
  const context = filled(
    LIMITS.file,
    ask === undefined ? head : [ask, ...head],
    (page) => {
      named.length = 0;
      const left = page.addWhole(now);
      left.push(...page.add(fresh.filter(({ binds }) => binds)));
      page.reasons();
      // These bind nobody: they are not counted.
      page.add(fresh.filter(({ binds }) => !binds));
      page.reasons();
      for (const { id, name } of again)
        if (page.say(`${cutToTokens(name, AGAIN.name)} binds this file too, as said above.`)) named.push(id);
      page.wholeReasons();
      for (const line of stale) page.quote(line);
      return left;
    },
    (page, left) => page.names(`- ${left.length} more bind this file: `, left.map(topicOf)),
    estimateTokens(`\n- 9 more bind this file: `) + Math.min(3, now.length + fresh.length) * AGAIN.name,
  );
  return { ...context, shown: [...context.shown, ...named] };
}

/** Maximum tokens and files of an offer: it need not be complete, because the agent knows what it changed. */
const OFFER = { tokens: 60, files: 5 };

/** Remembers a save, and asks whether it binds files that the session has changed. */
async function onSave({ isUnplaced }: Touching, hearing: Hearing): Promise<void> {
  const asked = 'If that binds files changed here, save it once more with "files" (mama_save): ';
  await hearing.say(({ changed, offered, prompts }) => {
    const files = isUnplaced ? changed.filter((file) => !offered.includes(file)).slice(-OFFER.files) : [];
    const text = files.length === 0 ? '' : cutToTokens(asked + files.join(', '), OFFER.tokens);
    const said = { text, shown: [], tokens: estimateTokens(text) };
    return { ...said, whenShown: { offered: changed }, always: { saved: prompts } };
  });
}

/** Files as decisions may name them: `paths` are also those that they had before git moved them. */
export async function placed(files: string[], { briefing, cwd, session, sessions, memory }: Hearing) {
  const places = [...new Set(files.flatMap((file) => placesOf(cwd, file)))];
  if (places.length === 0) return { places, paths: [], layout: undefined };
  // Loaded on use: most events name no file.
  const { formerNames, layoutOf } = await import('../layout.ts');
  const layout = await layoutOf(cwd, (of) => sessions?.layout(session, of, memory), briefing.patterns);
  const paths = [...places, ...places.flatMap((path) => (layout ? formerNames(path, layout) : []))];
  return { places, paths, layout };
}

/**
 * A file as decisions may name it: from the top folder of the agent's repository on; in another worktree of it, from the top of
 * that; in a submodule that the agent works in, also from the top of the repository around it. Empty for a file elsewhere.
 */
function placesOf(cwd: string, file: string): string[] {
  const { folder, top } = placedIn(cwd);
  const within = pathIn(top, folder, file) || [];
  const parent = dirname(resolve(folder, file));
  const [here, there] = [findGitFolder(folder), statHere(parent, folder) ? findGitFolder(parent) : undefined];
  if (here?.shared === undefined) return [within].flat();
  const isOther = there?.shared === here.shared && there.top !== top;
  if (isOther) return [pathIn(there.top, folder, file) || []].flat();
  const around = findGitFolder(dirname(top));
  const isInside = around?.shared !== undefined && here.shared.startsWith(`${around.shared}/modules/`);
  return [within, isInside ? pathIn(around.top, folder, file) || [] : []].flat();
}
