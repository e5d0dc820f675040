import { dirname, resolve } from 'node:path';
import { cutToTokens, estimateTokens } from '../../domain/text/tokens.ts';
import { statHere } from '../../files/machines.ts';
import { pathIn } from '../../files/path-in.ts';
import { findGitFolder, placedIn } from '../../git/folder.ts';
import type { Fact } from '../../operations/briefing/line.ts';
import type { Touching } from '../event.ts';
import { type Hearing, saying } from '../hearing.ts';
import { type Context, filled, LIMITS } from '../page.ts';
import { CHANGED, wordHash } from '../session.ts';

/** Later files with which a record is named that was said whole, and tokens of that line. */
const AGAIN = { files: 3, name: 14 };

/**
 * Says what binds the files that a tool read or changed, each record whole once in a context (RE-2, RE-3); a subagent has one of its
 * own. After a save that names no files, it offers the files that the session has changed, once; it stores nothing by itself (F-1).
 */
export async function onFiles(event: Touching, hearing: Hearing): Promise<void> {
  if (event.saved !== '') return offerFiles(hearing);
  const { agent, isRead, marked } = event;
  const { briefing, cwd, session, sessions, memory } = hearing;
  const places = [...new Set(event.files.flatMap((file) => placesOf(cwd, file)))];
  if (places.length === 0) return;
  // Loaded on use: most events name no file.
  const { formerNames, layoutOf } = await import('../layout.ts');
  const layout = await layoutOf(cwd, (of) => sessions?.layout(of, memory), briefing.patterns);
  const wide = new Set(layout?.wide);
  const paths = [...places, ...places.flatMap((path) => (layout ? formerNames(path, layout) : []))];
  const found = await briefing.atFiles({ paths, isRead, marked });
  const facts = found.filter(({ match }) => match?.by !== 'pattern' || !wide.has(match.of));
  const keyOf = (id: string) => (agent === '' ? id : `${agent} ${id}`);
  const [only, ...others] = places;
  const hashes = new Map(
    facts.map(({ id, match }) => {
      const at = others.length === 0 ? only : match?.at;
      return [id, wordHash(session, at ?? '')];
    }),
  );
  const hashOf = (id: string) => hashes.get(id) ?? '';
  await hearing.say((state) => {
    const before = ({ id }: Fact) => state.said[keyOf(id)];
    const fresh = facts.filter((fact) => before(fact) === undefined);
    const again = facts.filter((fact) => {
      const said = fact.binds ? before(fact) : undefined;
      return said && said.length <= AGAIN.files && !said.includes(hashOf(fact.id));
    });
    const context = fileContext(fresh, again);
    const changed = isRead ? state.changed : [...new Set([...state.changed, ...places])].slice(-CHANGED);
    return {
      ...context,
      whenShown: saying(
        state,
        context.shown.map((id) => [keyOf(id), hashOf(id)]),
      ),
      always: { changed, ...(layout && { layout }) },
    };
  });
}

const AT_FILE = 'On the file at hand:';

/** What is said with a file. @param again what was said whole before */
function fileContext(fresh: Fact[], again: Fact[]): Context {
  const named: string[] = [];
  const context = filled(
    LIMITS.file,
    fresh.length > 0 ? [AT_FILE] : [],
    (page) => {
      named.length = 0;
      const left = page.add(fresh.filter(({ binds }) => binds));
      page.reasons();
      // These bind nobody: they are not counted.
      page.add(fresh.filter(({ binds }) => !binds));
      page.reasons();
      for (const { id, name } of again)
        if (page.say(`${cutToTokens(name, AGAIN.name)} binds this file too, as said above.`)) named.push(id);
      return left;
    },
    (page, left) =>
      page.names(
        `- ${left.length} more bind this file: `,
        left.map(({ name }) => name.replace(/^\[[^\]]*\] /, '')),
      ),
    estimateTokens(`\n- 9 more bind this file: `) + Math.min(3, fresh.length) * AGAIN.name,
  );
  return { ...context, shown: [...context.shown, ...named] };
}

/** Tokens of an offer, and files that it names: the agent knows what it changed. */
const OFFER = { tokens: 60, files: 5 };

/** Asks after a save whether it binds files that the session has changed. */
async function offerFiles(hearing: Hearing): Promise<void> {
  const asked = 'If that binds files changed here, save it once more with "files" (mama_save): ';
  await hearing.say(({ changed, offered }) => {
    const files = changed.filter((file) => !offered.includes(file)).slice(-OFFER.files);
    const text = files.length === 0 ? '' : cutToTokens(asked + files.join(', '), OFFER.tokens);
    return { text, shown: [], tokens: estimateTokens(text), whenShown: { offered: changed } };
  });
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
