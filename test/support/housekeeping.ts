import type { Memory } from '../../src/index.ts';

export const KIM = { author: 'Kim Minsu', client: 'cli' };
export const LEE = { author: 'Lee Jiwoo', client: 'cli' };
const AGENT = { author: 'Kim Minsu', client: 'claude-code', session: 'c1' };
export const NOW = Date.parse('2026-11-20T09:00:00Z');
export const DAY = 86_400_000;

type Reopened = (writer: typeof KIM & { session?: string }, before: Memory) => Promise<Memory>;

/** Saves a lock, and that it worked. @returns its id */
export async function decide(kim: Memory): Promise<string> {
  const { id } = await kim.mama.save({
    ...{ topic: 'auth:token', decision: 'Sessions live in cookies', reasoning: 'Scripts cannot read them' },
    ...{ strength: 'lock' as const, scope: 'auth', files: 'src/auth/**', revisit: '2026-11-15' },
  });
  await kim.mama.update({ id, outcome: 'success', reason: 'no theft in a year' });
  return id;
}

/** The only save of an agent that waits for a review. */
async function waiting(memory: Memory) {
  const items = (await memory.review()).groups.flatMap((group) => group.items);
  const item = items.find(({ via }) => via === 'claude-code');
  if (!item?.undo) throw new Error('Expected a save that waits.');
  return { ...item, undo: item.undo };
}

/** Lee's housekeeping on what Kim decided. @param as gives the same memory to another writer */
export const ACTS: Record<string, (lee: Memory, id: string, as: Reopened) => Promise<unknown>> = {
  'a better wording': (lee, id) =>
    lee.decision.revise({ id, text: 'Sessions live in cookies.', tidy: true, replaces: id }),
  'a link in its reason': (lee, id) =>
    lee.decision.revise({ id, reasoning: 'Scripts cannot read them\nalongside: web:form', tidy: true }),
  'another scope': (lee, id) =>
    lee.decision.revise({ id, scope: 'web', reasoning: 'a part of web now', replaces: id }),
  'more files': (lee, id) => lee.decision.revise({ id, addFiles: 'src/session.ts' }),
  hints: (lee, id) => lee.mama.update({ id, hints: ['local storage tokens'] }),
  'a name of its topic': (lee, id) =>
    lee.rename({ from: 'auth:token', to: 'auth:session', reasoning: 'clearer', replaces: [id] }),
  'a name of its scope': (lee, id) =>
    lee.rename({ kind: 'scope', from: 'auth', to: 'login', reasoning: 'clearer', replaces: [id] }),
  'a scope that is joined': (lee, id) =>
    lee.rename({ kind: 'scope', from: 'auth', to: 'web', reasoning: 'one', replaces: [id], join: true }),
  'a wording that is undone': async (lee, id) => {
    await lee.decision.revise({ id, text: 'Sessions live in cookies.', tidy: true, replaces: id });
    await lee.undo();
  },
  'a withdrawal that is undone': async (lee, id) => {
    await lee.decision.revise({ id, withdrawn: true, reasoning: 'by mistake', replaces: id });
    await lee.undo();
  },
  'a version that is undone': async (lee, id) => {
    await lee.decision.revise({ id, text: 'Sessions live nowhere', reasoning: 'so', replaces: id });
    await lee.undo();
  },
  'a version that is undone with a reason': async (lee, id) => {
    await lee.decision.revise({ id, text: 'Sessions live nowhere', reasoning: 'so', replaces: id });
    const { id: bad } = (await lee.decision.get({ id: 'auth:token' })).decision;
    await lee.undo({ what: [bad], replaces: [bad], reasoning: 'it was wrong' });
  },
  'a wording that is redone': async (lee, id) => {
    await lee.decision.revise({ id, text: 'Sessions live in cookies.', tidy: true, replaces: id });
    await lee.undo();
    const { id: active } = (await lee.decision.get({ id: 'auth:token' })).decision;
    await lee.undo({ redo: true, replaces: [active], reasoning: 'after all' });
  },
  'a review that keeps it': async (lee, id, as) => {
    const agent = await as(AGENT, lee);
    await agent.decision.revise({ id, addFiles: 'src/session.ts' });
    const kept = await as(LEE, agent);
    await kept.reviewed({ keys: [(await waiting(kept)).key] });
    await kept.mem.save({ title: 'Reviewed', content: 'Nothing to do' });
  },
  'a review that undoes a version': async (lee, id, as) => {
    const agent = await as(AGENT, lee);
    await agent.mama.save({
      topic: 'auth:token',
      decision: 'Sessions live nowhere',
      reasoning: 'so',
      replaces: id,
    });
    const kept = await as(LEE, agent);
    await kept.undo({ saves: [(await waiting(kept)).undo] });
  },
  'a note on its topic that is rewritten': async (lee) => {
    const { id } = await lee.mem.save({ title: 'Theft', content: 'Not one', topic_key: 'auth:token' });
    await lee.mem.update({ id, content: 'None at all' });
  },
  'a file that was renamed': (lee, id) =>
    lee.decision.revise({ id, removeFiles: 'src/auth/**', addFiles: 'src/login/**', replaces: id }),
};
