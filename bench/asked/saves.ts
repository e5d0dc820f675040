import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openCore } from '../../src/memory/core.ts';
import { loadOperation } from '../../src/operations/load.ts';
import { print } from '../measure.ts';

/**
 * Of how many saves that go against a rule or a failure in the other language the answer names it (RE-9), and how many ordinary
 * saves carry a list: each as the first save of a session, and in sessions of five.
 *
 *   node bench/asked/saves.ts [one several | DIR …] [--held] [--misses]
 *
 * `--held` measures the half that is not for choosing. `--misses` prints each save that went wrong.
 */
const given = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const HALF = process.argv.includes('--held') ? 'held' : 'work';
const IS_EXPLAINING = process.argv.includes('--misses');
/** Saves of a session. */
const SESSION = 5;

interface Saved {
  id: string;
  topic: string;
  decision: string;
  reasoning: string;
  scope?: string;
  strength?: string;
}
interface Recorded extends Saved {
  kind: 'decision' | 'note';
  title?: string;
  content?: string;
  days_ago: number;
  outcome?: string;
  outcome_reason?: string;
  withdrawn?: string;
  hints?: string[];
}
interface Saving extends Saved {
  class: 'ordinary' | 'against';
  record?: string;
  half: 'work' | 'held';
}
interface Answer {
  id: string;
  warnings: string[];
  similar?: { id: string }[];
  check_against?: { id: string }[];
}
type Memory = Awaited<ReturnType<typeof openCore>>;

async function measure(set: string): Promise<void> {
  const folder = [join(import.meta.dirname, set), resolve(set)].find((each) => existsSync(each)) ?? set;
  const read = <T>(name: string): T[] =>
    readFileSync(join(folder, `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const place = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
  try {
    await using memory = await openCore({ db: join(place, 'asked.db') }, loadOperation);
    const ids = await fill(memory, read<Recorded>('records'));
    const saves = read<Saving>('saves').filter(({ half }) => half === HALF);
    const ordinary = saves.filter((each) => each.class === 'ordinary');
    const against = saves.filter((each) => each.class === 'against');
    let lists = 0;
    let inSessions = 0;
    let listed = 0;
    for (const [at, each] of ordinary.entries()) {
      const { check_against = [] } = await saved(memory, each, `alone ${each.id}`);
      const later = await saved(memory, each, `together ${Math.floor(at / SESSION)}`);
      if (check_against.length > 0) lists++;
      if ((later.check_against ?? []).length > 0) inSessions++;
      listed += check_against.length;
      if (IS_EXPLAINING && check_against.length > 0)
        print(`  list ${each.id} ${each.topic}: ${check_against.map(({ id }) => ids.get(id))}`);
    }
    let named = 0;
    let warned = 0;
    for (const each of against) {
      const { warnings, similar = [], check_against = [] } = await saved(memory, each, `alone ${each.id}`);
      const isOf = (id: string) => ids.get(id) === each.record;
      const isWarned = [...ids].some(
        ([id, record]) => record === each.record && warnings.some((said) => said.includes(id.slice(0, 8))),
      );
      if (isWarned) warned++;
      if (isWarned || check_against.some(({ id }) => isOf(id))) named++;
      else if (IS_EXPLAINING)
        print(
          `  miss ${each.id} ${each.topic} → ${each.record}: ${check_against.map(({ id }) => ids.get(id))}; similar ${similar.map(({ id }) => ids.get(id))}`,
        );
    }
    const share = (count: number, of: Saving[]) => `${count} of ${of.length}`;
    print(
      `| ${set} | ${share(named, against)} | ${share(warned, against)} | ${share(lists, ordinary)} | ${share(inSessions, ordinary)} | ${(listed / Math.max(lists, 1)).toFixed(1)} |`,
    );
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Saves the records as of their dates. @returns which record each id is of */
async function fill(memory: Memory, records: Recorded[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const record of records.toSorted((a, b) => b.days_ago - a.days_ago)) {
    const { topic, decision, reasoning, scope, strength, hints, outcome } = record;
    const date = new Date(Date.now() - record.days_ago * 86_400_000).toISOString().slice(0, 10);
    if (record.kind === 'note') {
      await memory.call('mem_save', { title: record.title, content: record.content, topic_key: topic, date });
      continue;
    }
    const replaces = [...ids].findLast(([, of]) =>
      records.some(({ id, topic: same }) => id === of && same === topic),
    )?.[0];
    const { id } = (await memory.call('mama_save', {
      ...{ topic, decision, reasoning, date },
      ...(scope && { scope }),
      ...(strength && { strength }),
      ...(hints && { hints }),
      ...(replaces && { replaces }),
    })) as unknown as Answer;
    ids.set(id, record.id);
    if (outcome) await memory.call('mama_update', { id, outcome, reason: record.outcome_reason, date });
    if (record.withdrawn)
      await memory.call('decision_revise', {
        id,
        withdrawn: true,
        reasoning: record.withdrawn,
        replaces: id,
        date,
      });
  }
  return ids;
}

/** The answer to a save of a session, which is taken back. */
async function saved(
  memory: Memory,
  { topic, decision, reasoning, scope, strength }: Saving,
  session: string,
): Promise<Answer> {
  const before = (await memory.call('mama_search', { query: topic, limit: 1 })) as {
    results?: { topic: string; id: string }[];
  };
  const replaces = before.results?.find((each) => each.topic === topic)?.id;
  const answer = await memory.call(
    'mama_save',
    {
      topic,
      decision,
      reasoning,
      ...(scope && { scope }),
      ...(strength && { strength }),
      ...(replaces && { replaces }),
    },
    { session },
  );
  await memory.call('undo', {}, { session });
  return answer as unknown as Answer;
}

print(
  '| set | against: named | of these warned | ordinary: with a list | in sessions of five | lines a list |\n|---|---|---|---|---|---|',
);
for (const set of given.length > 0 ? given : ['one', 'several']) await measure(set);
