import fc from 'fast-check';
import { life, Made, type Question, questionsOf, searches } from './as-of-life.ts';
import { generator } from './random.ts';
import type { Answer, Step } from './recording.ts';

const BEGINNING = Date.UTC(2026, 0, 1);
const TOPICS = ['auth:a', 'auth:b', 'web:c', 'Global', 'auth:renamed'];
const WORDS = ['token', 'cookie', '세션', 'cache', 'queue', 'retry'];
/** What most kinds of lives leave out, so that a change of it on purpose concerns few of them. */
const RENAMES = ['rename'];
const UNDO = ['undo'];

type Call = Pick<Step, 'name' | 'input'>;
type Chance = {
  pick: <T>(from: readonly T[]) => T;
  random: () => number;
  /** The topics that were decided twice, as the last sync of this machine said. */
  twice: string[];
  /** The keys that the last review showed. */
  keys: string[];
};
/** What a kind of life does besides saving. */
interface Life {
  machines: number;
  without: string[];
  /** How often one of these follows a step. */
  share: number;
  others(made: Made, chance: Chance): Call[];
  /** Whether it is asked about its past. */
  past?: true;
}

const call = (name: string, input: Record<string, unknown> = {}): Call => ({ name, input });
const sync = () => call('sync');
const settle = ({ pick, twice }: Chance) =>
  call('decision_settle', {
    topic: pick(twice) ?? pick(TOPICS),
    text: `settled: ${pick(WORDS)}`,
    reasoning: 'settled',
  });
/** Machines decide differently, each with its own strength. */
const decide = ({ pick, random }: Chance) =>
  call('mama_save', {
    topic: pick(['auth:a', 'web:c']),
    decision: `${pick(WORDS)} ${Math.floor(random() * 100)}`,
    reasoning: 'for a reason',
    strength: pick(['axis', 'lock', 'normal']),
  });
const rename = ({ pick }: Chance) => {
  const topic = pick(TOPICS);
  return pick([
    call('rename', { from: topic, to: pick(['auth:new', 'web:new', ...TOPICS]) }),
    call('rename', { from: topic, to: pick(TOPICS), reasoning: 'the same', join: true }),
    call('rename', {
      kind: 'scope',
      from: pick(['auth', 'web']),
      to: pick(['web', 'ui']),
      reasoning: 'the same',
      join: true,
    }),
  ]);
};
const redact = (made: Made, { pick, random }: Chance) => {
  const ids = [...made.decisions, ...made.evidence, ...made.memos];
  const id = random() < 0.4 ? String(1 + Math.floor(random() * (made.observations || 1))) : pick(ids);
  return call('redact', { id: id ?? 'none', ...(random() < 0.7 && { text: pick(WORDS) }) });
};
const undo = ({ pick }: Chance) =>
  pick([
    call('undo', { what: [pick(TOPICS)], reasoning: 'wrong' }),
    call('undo', { what: ['#2'], dry_run: true }),
    call('undo', { what: ['#3'] }),
    call('undo', { what: ['since:1h'], reasoning: 'wrong' }),
    call('undo', { session: 'agent of Lee', reasoning: 'wrong' }),
    call('undo', { last: 3, reasoning: 'wrong' }),
    call('undo', { last: 2, redo: true, reasoning: 'right' }),
    call('undo', { dry_run: true }),
  ]);
const anImport = ({ pick, random }: Chance) =>
  pick([
    call('import tool', { source: 'mama', path: 'mama/mama-1.5.11.db' }),
    call('import tool', { source: 'hoofy', path: 'hoofy/memory.db' }),
    call('import tool', { source: 'basic-memory', path: 'basic-memory/main' }),
    call('import tool', { source: 'adr', path: 'adr/madr-4' }),
    ...[1, 2, 3].map(() =>
      call('import records', { texts: [0, 1, 2].map(() => `Use the ${pick(WORDS)} ${random() < 0.5}.`) }),
    ),
    call('import export', { from: 0 }),
    call('import export', { from: 1 }),
    call('unmerge', { source: pick(['adr', 'mama', 'hoofy']) }),
  ]);

const LIVES: Record<string, Life> = {
  plain: { machines: 1, without: [...RENAMES, ...UNDO], share: 0, others: () => [] },
  undone: { machines: 1, without: RENAMES, share: 0.3, others: (_, chance) => [undo(chance)] },
  named: { machines: 1, without: UNDO, share: 0.25, others: (_, chance) => [rename(chance)] },
  redacted: {
    machines: 1,
    without: [...RENAMES, ...UNDO],
    share: 0.25,
    others: (made, chance) => [redact(made, chance)],
  },
  reviewed: {
    machines: 1,
    without: RENAMES,
    share: 0.3,
    others: (_, { pick, random, keys }) => [
      call('review', { since: '6w' }),
      call('reviewed', { keys: [pick(keys) ?? 'none'] }),
      call('reviewed', { keys: [pick(keys) ?? 'none'], back: random() < 0.3 }),
      call('briefing_get', { at: 'start' }),
    ],
  },
  past: {
    machines: 1,
    without: [],
    share: 0.1,
    others: (made, chance) => [undo(chance), redact(made, chance)],
    past: true,
  },
  synced: {
    machines: 3,
    without: [...RENAMES, ...UNDO],
    share: 0.4,
    others: (_, chance) => [sync(), sync(), decide(chance), settle(chance)],
  },
  'synced-named': {
    machines: 3,
    without: UNDO,
    share: 0.4,
    others: (_, chance) => [sync(), sync(), decide(chance), rename(chance)],
  },
  'synced-undone': {
    machines: 3,
    without: RENAMES,
    share: 0.45,
    others: (_, chance) => [sync(), sync(), decide(chance), settle(chance), undo(chance)],
  },
  'synced-all': {
    machines: 3,
    without: [],
    share: 0.45,
    others: (made, chance) => [
      sync(),
      sync(),
      sync(),
      settle(chance),
      redact(made, chance),
      undo(chance),
      rename(chance),
      call('import export', { from: 0 }),
    ],
  },
  imported: {
    machines: 2,
    without: [...RENAMES, ...UNDO],
    share: 0.35,
    others: (_, chance) => [anImport(chance)],
  },
};

/** The names of the lives that are recorded. */
export const LIFE_NAMES = Object.keys(LIVES).flatMap((kind) => [1, 2].map((seed) => `${kind}-${seed}`));
export const machinesOf = (name: string): number => lifeNamed(name).machines;

function lifeNamed(name: string): Life {
  const found = LIVES[name.replace(/-\d+$/, '')];
  if (!found) throw new Error(`Expected a kind of life, found ${name}.`);
  return found;
}

/** What is asked besides what {@link questionsOf} has: what people and hooks see first. */
const MORE: Call[] = [
  call('recall', { task: 'cache of the token', domain: 'auth', token_budget: 3_000 }),
  call('recall', { task: '세션 retry' }),
  call('mama_search', { query: 'token', history: true, limit: 20 }),
  call('mem_search', { query: 'cookie' }),
  call('briefing_get', { at: 'start' }),
  call('briefing_get', { at: 'prompt', prompt: 'Which cache holds the token?' }),
  call('review', { since: '10w' }),
  call('list_names', { kind: 'sessions' }),
  call('keyword_graph'),
  call('timeline', { limit: 40 }),
  call('doctor'),
];

/** One life: its steps, each chosen by the answers so far. */
export function* stepsOf(name: string): Generator<Step, void, Answer> {
  const { machines, without, share, others, past } = lifeNamed(name);
  const seed = [...name].reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 1_000_003, 7);
  const random = generator(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const made = Array.from({ length: machines }, () => new Made());
  const chances = made.map((): Chance => ({ pick, random, twice: [], keys: [] }));
  let at = BEGINNING;
  function* ask(on: number, asked: Call, by = 'Kim <kim@example.com>'): Generator<Step, Answer, Answer> {
    const client = by.startsWith('Lee') ? 'agent' : 'cli';
    const answer = yield { on, at, by, client, ...asked };
    return answer?.notes ? (answer.result as Answer) : answer;
  }
  const questions = (on: number) => [
    ...questionsOf(made[on] as Made),
    ...searches(pick(WORDS)),
    ...searches(`${pick(WORDS)} ${pick(WORDS)}`),
  ];
  const some = (all: Question[], most: number) =>
    all.length <= most ? all : all.filter(() => random() < most / all.length);

  const [steps = []] = fc.sample(life(60), { seed, numRuns: 1 });
  const moments: number[] = [];
  for (const { call: chosen, after, author } of steps) {
    if (without.includes(chosen.name)) continue;
    at += after;
    const on = Math.floor(random() * machines);
    const [own, chance] = [made[on] as Made, chances[on] as Chance];
    const input = own.resolved(chosen);
    // Nothing of the kind was made yet.
    if (Object.values(input).includes('none')) continue;
    const overridden = input.id ?? input.topic ?? (input.kind === 'scope' ? undefined : input.from);
    if (
      /^(mama_save|decision_revise|rename)$/.test(chosen.name) &&
      overridden !== undefined &&
      random() < 0.8
    ) {
      const found = yield* ask(on, call('decision_get', { id: overridden }));
      const { id } = (found?.decision ?? {}) as { id?: string };
      if (id !== undefined) input.replaces = chosen.name === 'rename' ? [id] : id;
    }
    const answer = yield* ask(on, call(chosen.name, input), author);
    if (answer && !('refused' in answer)) own.note(chosen.name, input, answer);
    moments.push(at);
    if (random() < share) {
      at += pick([0, 1, 60_000]);
      const other = pick(others(own, chance));
      const said = yield* ask(on, other, author);
      if (other.name === 'sync') {
        chance.twice = ((said?.decidedTwice ?? []) as { topic: string }[]).map(({ topic }) => topic);
        // Notes of others have numbers here, too.
        own.observations += 1;
      }
      if (other.name === 'review')
        chance.keys = ((said?.groups ?? []) as { items: { key: string }[] }[]).flatMap(({ items }) =>
          items.map(({ key }) => key),
        );
    }
    if (random() < 0.3) {
      const { name, given } = pick(questions(on));
      yield* ask(on, call(name, given));
    }
  }
  at += 60_000;
  for (let round = 0; machines === 3 && round < 2; round++)
    for (let on = 0; on < machines; on++) yield* ask(on, sync());
  for (let on = 0; on < machines; on++) {
    for (const { name, given } of some(questions(on), machines === 1 ? 90 : 30))
      yield* ask(on, call(name, given));
    for (const each of MORE) yield* ask(on, each);
  }
  yield* ask(0, call('export madr'));
  if (!past) return;
  for (const moment of [0.2, 0.5, 0.8].map((share) => moments[Math.floor(share * moments.length)] as number))
    for (const { name, given, field } of some(questions(0), 40))
      yield* ask(0, call(name, { ...given, [field]: new Date(moment).toISOString() }));
}
