import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postgres } from './support/engines.ts';
import { saveHistories } from './support/history.ts';
import { statementsOf } from './support/statements.ts';

/** What an operation sends at most: statements, and round trips in which they go. The beginning and the end are among them. */
const MOST: [name: string, input: (id: string) => object, statements: number, trips: number][] = [
  [
    'mama_save',
    (id) => ({
      topic: 'auth:lifetime',
      decision: 'Tokens last an hour',
      reasoning: `A stolen one is worth little. builds_on: ${id}`,
      evidence: ['measured in May'],
    }),
    // Five look for what it is to be checked against, in four round trips (RE-9). Three look for what it says that was replaced elsewhere (CC-1), in no round trip of their own.
    51,
    20,
  ],
  ['decision_save', () => ({ text: 'Every log line has a request id', scope: 'logging' }), 41, 17],
  // One of them for what depends on a failure (T-7), one for the date of the outcome before it (Y-6). What shows decisions sends one for debates and evidence (T-15).
  // Two ask whether hints of a failure were asked for before (RE-16). Two look for what still says it (CC-1).
  ['mama_update', (id) => ({ id, outcome: 'failed', reason: 'stolen twice' }), 39, 13],
  // Three look for what it says that was replaced (CC-1).
  ['mem_save', () => ({ title: 'Note', content: 'The proxy cuts cookies at 4 kB' }), 23, 11],
  // With the words around a match that an older version has, as in `search` (W-3).
  ['mama_search', () => ({ query: 'login token browser' }), 33, 21],
  ['mem_search', () => ({ query: 'login token browser' }), 21, 14],
  // The short ids of the earlier versions that matched (RE-7), and the evidence of one that was withdrawn.
  ['search', () => ({ query: 'login token browser' }), 31, 16],
  // That, an observation, and the hints, short ids and reasons of the rules that no entry shows (RE-7).
  ['recall', () => ({ task: 'store the login token', domain: 'auth' }), 42, 18],
  // With short ids for models (T-18).
  ['decision_retrieve', () => ({ domain: 'auth' }), 14, 6],
  ['decision_get', (id) => ({ id }), 17, 7],
  ['mem_get_observation', () => ({ id: 1 }), 9, 4],
  ['decision_list', () => ({}), 17, 6],
  ['timeline', () => ({}), 14, 10],
  ['briefing_get', () => ({ at: 'start' }), 15, 5],
  [
    'briefing_get',
    () => ({ at: 'prompt', prompt: 'We store the login session in the browser: where should the token go?' }),
    // Two ask whether a person has reviewed what a program saved (RE-1), in no round trip of their own.
    27,
    13,
  ],
];

/** Versions of a long chain: more than a save looks back at. */
const LONG = 300;

/** Nothing beside it: the statements of the whole process are counted. */
describe('on PostgreSQL', {
  concurrency: 1,
  ...(postgres.skip !== undefined && { skip: postgres.skip }),
}, () => {
  it('[P-10] an operation sends few statements, in few round trips', async (test) => {
    const memory = await postgres.open(postgres.place());
    await saveHistories(memory, ['backend']);
    const [{ id = '' } = {}] = (await memory.mama.search({ query: 'login token' })).results;
    const over: string[] = [];
    for (const [name, input, mostStatements, mostTrips] of MOST) {
      const sent = await statementsOf(() => memory.call(name, input(id)));
      const trips = sent.at(-1)?.trip ?? 0;
      const found = `${name}: ${sent.length} statements in ${trips} round trips`;
      test.diagnostic(found);
      assert(trips > 2, found);
      if (sent.length > mostStatements || trips > mostTrips) over.push(found);
    }
    assert.deepEqual(over, []);
  });

  it('[J-3] a save sends as many statements for a long chain as for a short one', async (test) => {
    const memory = await postgres.open(postgres.place());
    const save = (versions: number, at: number) => ({
      topic: 'auth:lifetime',
      decision: `Tokens last ${at} hours`,
      reasoning: `Measured in ${at} places, for ${versions} people`,
    });
    const sent: string[] = [];
    for (const versions of [10, LONG]) {
      await memory.batch(
        Array.from({ length: versions }, (_, at) =>
          JSON.stringify({ operation: 'mama_save', ...save(versions, at) }),
        ),
      );
      const all = await statementsOf(() => memory.mama.save(save(versions, versions)));
      const trips = all.at(-1)?.trip ?? 0;
      sent.push(`${all.length} statements in ${trips} round trips`);
      test.diagnostic(`${versions} versions: ${sent.at(-1)}`);
      assert(trips > 2 && trips <= 20, sent.at(-1));
    }
    assert.equal(sent[1], sent[0]);
  });
});
