import { type Memory, openMemory } from '../../src/index.ts';
import { fixed } from './engines.ts';
import { named } from './named.ts';
import { generator } from './random.ts';
import { exported } from './stream.ts';

/** When the memory of {@link listedLines} begins, and about a day passes between two of its records. */
export const BEGINNING = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
/** Steps of its life; each makes a record or two. */
const STEPS = 200;

export const AUTHORS = ['Kim Minsu <minsu@example.com>', 'Lee <lee@example.com>', '박지훈'];
export const SCOPES = ['auth', 'UI', '결제'];
export const WORDS = ['cookie', 'token', 'redis', '환불', 'latency'];

/** A clock of whole days, by which several records of one step have the same moment. */
export function days() {
  let steps = 0;
  return { clock: () => BEGINNING + steps * DAY, next: () => steps++ };
}

let lines: Promise<string[]> | undefined;

/** The stream of a memory with records of each kind by three authors, the same in every run; made once in a process. */
export function listedLines(): Promise<string[]> {
  lines ??= (async () => {
    const { clock, next } = days();
    const memory = await openMemory({ db: ':memory:', ...fixed(), clock });
    await live(memory, next);
    const written = await exported(memory);
    await memory.close();
    return written;
  })();
  return lines;
}

async function live(memory: Memory, next: () => void): Promise<void> {
  const random = generator(7);
  const below = (most: number) => Math.floor(random() * most);
  const one = <T>(from: readonly T[]) => from[below(from.length)] as T;
  const words = () => Array.from({ length: 3 }, () => one(WORDS)).join(' ');
  const decisions: string[] = [];
  const failed: string[] = [];
  const observations: number[] = [];
  const act = (name: string, input: object, author: string) =>
    memory.call(name, input, { author, session: `session of ${author}`, client: 'test' });
  for (let step = 0; step < STEPS; step++) {
    next();
    const author = one(AUTHORS);
    const what = decisions.length < 4 ? 0 : below(14);
    const some = () => one(decisions);
    if (what < 5) {
      const link =
        decisions.length > 0 && below(2) === 0
          ? `\n${one(['builds_on', 'debates'])}: ${one(failed.length > 0 ? failed : decisions)}`
          : '';
      const topic = `t:${below(30)}`;
      const saved = await act(
        'mama_save',
        {
          topic,
          ...(await named(memory, topic)),
          decision: `${words()} ${step}`,
          scope: one(SCOPES),
          strength: one(['axis', 'lock', 'normal']),
          confidence: [0.3, 0.5, 0.9][step % 3],
          reasoning: `Measured ${words()}${link}`,
          ...(below(4) === 0 && { evidence: [`log of ${words()}`] }),
        },
        author,
      );
      decisions.push(String(saved.id));
    } else if (what < 8) {
      const outcome = one(['success', 'failed', 'partial', 'failed']);
      const id = some();
      await act('mama_update', { id, outcome, reason: words() }, author);
      if (outcome === 'failed') failed.push(id);
    } else if (what === 8) {
      const evidence = await act('evidence_save', { decisionRef: some(), content: words() }, author);
      const { id } = evidence.evidence as { id: string };
      await act('anchor_save', { hint: words(), targetRef: id, type: 'evidence_link' }, author);
    } else if (what === 9) {
      await act('anchor_save', { hint: words(), targetRef: some(), type: 'decision_link' }, author);
    } else if (what === 10) {
      const saved = await act(
        'mem_save',
        {
          title: words(),
          content: `${words()} ${step}`,
          project: one(['app', 'site']),
          type: one(['bugfix', 'manual']),
          topic_key: `t:${below(8)}`,
        },
        author,
      );
      observations.push(Number(saved.id));
    } else if (what === 11 && observations.length > 0) {
      const id = one(observations);
      const gone = await act('delete', { ref: id }, author).catch(() => undefined);
      if (gone) observations.splice(observations.indexOf(id), 1);
    } else if (what === 12) {
      await act('memo_save', { fullText: `${words()} ${step}`, keywords: [one(WORDS)] }, author);
    } else {
      await act('mama_save', { type: 'checkpoint', summary: words() }, author);
    }
    if (step % 20 === 19) {
      const current = (await memory.call('decision_list', { limit: 5 })) as { decisions: { id: string }[] };
      const id = current.decisions.at(-1)?.id;
      await act('decision_revise', { id, withdrawn: true, reasoning: words(), replaces: id }, author);
    }
  }
  await memory.redact(String(observations[0]));
}
