import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anchored } from './contract/anchored.ts';
import { answered } from './contract/answered.ts';
import { asOf } from './contract/as-of.ts';
import { asked } from './contract/asked.ts';
import { boundedAnswers } from './contract/bounded-answers.ts';
import { briefing } from './contract/briefing.ts';
import { care } from './contract/care.ts';
import { chains } from './contract/chains.ts';
import { changes } from './contract/changes.ts';
import { checked } from './contract/checked.ts';
import { choices } from './contract/choices.ts';
import { conversations } from './contract/conversations.ts';
import { copies } from './contract/copies.ts';
import { datedSaves } from './contract/dated.ts';
import { edges } from './contract/edges.ts';
import { entries } from './contract/entries.ts';
import { fields } from './contract/fields.ts';
import { fieldsOfOthers } from './contract/fields-of-others.ts';
import { files } from './contract/files.ts';
import { forged } from './contract/forged.ts';
import { forgedRows } from './contract/forged-rows.ts';
import { graphs } from './contract/graphs.ts';
import { grounds } from './contract/grounds.ts';
import { guards } from './contract/guards.ts';
import { hints } from './contract/hints.ts';
import { keywords } from './contract/keywords.ts';
import { lenient } from './contract/lenient.ts';
import { limits } from './contract/limits.ts';
import { linking } from './contract/linking.ts';
import { listedNone } from './contract/listed-none.ts';
import { lists } from './contract/lists.ts';
import { memos } from './contract/memos.ts';
import { memosAgain } from './contract/memos-again.ts';
import { memosFound } from './contract/memos-found.ts';
import { mistakes } from './contract/mistakes.ts';
import { names } from './contract/names.ts';
import { observations } from './contract/observations.ts';
import { otherLists } from './contract/other-lists.ts';
import { outcomes } from './contract/outcomes.ts';
import { overriding } from './contract/overriding.ts';
import { pages } from './contract/pages.ts';
import { ranking } from './contract/ranking.ts';
import { readByModels } from './contract/read-by-models.ts';
import { recall } from './contract/recall.ts';
import { recallDomain } from './contract/recall-domain.ts';
import { received } from './contract/received.ts';
import { references } from './contract/references.ts';
import { relations } from './contract/relations.ts';
import { renaming } from './contract/renaming.ts';
import { review } from './contract/review.ts';
import { search } from './contract/search.ts';
import { searched } from './contract/searched.ts';
import { show } from './contract/show.ts';
import { similar } from './contract/similar.ts';
import { sqlStatements } from './contract/sql.ts';
import { sqlRules } from './contract/sql-rules.ts';
import { staleness } from './contract/stale.ts';
import { superseded } from './contract/superseded.ts';
import { texts } from './contract/texts.ts';
import { tidying } from './contract/tidying.ts';
import { timeline } from './contract/timeline.ts';
import { transactions } from './contract/transactions.ts';
import { transfer } from './contract/transfer.ts';
import { undo } from './contract/undo.ts';
import { undoChosen } from './contract/undo-chosen.ts';
import { versions } from './contract/versions.ts';
import { wholeAndNames } from './contract/whole-and-names.ts';
import { writers } from './contract/writers.ts';
import { citus, type EngineUnderTest, engines, isTriedOn, optionsOf, postgres } from './support/engines.ts';
import {
  CITUS,
  notOnCitus,
  query,
  recordPhases,
  recordStatements,
  shareConnections,
} from './support/postgres.ts';

/** Promises that engines keep each in their own way, or with the most of SQL. */
const OWN = [
  search,
  answered,
  searched,
  asOf,
  review,
  undo,
  tidying,
  undoChosen,
  lists,
  listedNone,
  pages,
  transfer,
  transactions,
  versions,
  wholeAndNames,
  sqlStatements,
  sqlRules,
  checked,
  similar,
  care,
  texts,
];
/** All others. */
const ALIKE = [
  chains,
  edges,
  datedSaves,
  briefing,
  entries,
  linking,
  outcomes,
  grounds,
  guards,
  overriding,
  copies,
  references,
  names,
  writers,
  changes,
  mistakes,
  renaming,
  lenient,
  asked,
  limits,
  staleness,
  otherLists,
  timeline,
  show,
  graphs,
  observations,
  superseded,
  anchored,
  hints,
  readByModels,
  relations,
  keywords,
  memos,
  boundedAnswers,
  memosAgain,
  memosFound,
  conversations,
  ranking,
  recall,
  recallDomain,
  forged,
  forgedRows,
  choices,
  fields,
  files,
  fieldsOfOthers,
  received,
];

/** All that a memory promises, whatever it is stored in; on PostgreSQL an eighth of what engines keep alike, in turn. */
function contract(engine: EngineUnderTest): void {
  const isWhole = engine === citus;
  const groups = [...OWN, ...ALIKE.filter((_, index) => isWhole || isTriedOn(engine, index))];
  describe(`contract on ${engine.name}`, optionsOf(engine), () => {
    for (const group of groups) group(engine);
  });
}

shareConnections();
const sent = recordStatements();
const phases = recordPhases();
for (const engine of [...engines, citus]) contract(engine);

describe('what Citus sends to its nodes', optionsOf(citus), () => {
  it('[P-7] commits in one phase in the whole contract, and copies nothing by way of the coordinator', async () => {
    const [others] = await query('select count(*) from pg_dist_node where groupid <> 0', [], CITUS);
    // A coordinator that holds the workspaces itself sends nothing.
    assert.equal(phases.commits > 0, Number(others.count) > 0);
    assert.deepEqual(phases.wrong, []);
  });
});

describe('statements sent to PostgreSQL', optionsOf(postgres), () => {
  it('[P-7] each of the whole contract is one that Citus distributes', () => {
    const statements = new Set(sent);
    assert(statements.size > 200, `${statements.size} statements seen`);
    const refused = [...statements]
      .map((statement) => ({ statement, why: notOnCitus(statement) }))
      .filter(({ why }) => why.length > 0);
    assert.deepEqual(refused, []);
  });

  it('the check knows what Citus refuses', () => {
    const bad = [
      'create trigger t after insert on x execute function f()',
      'begin; select 1',
      'set search_path to x',
      "select set_config('a', 'b', true)",
      'insert into t (a) values ((select 1))',
      'insert into t (a) values (1) on conflict (a) do update set a = (select 1)',
      'update t set a = now()',
      'with gone as (delete from t returning a) update s set b = gone.a from gone',
      'merge into t using s on true when matched then delete',
      'alter table t add column id bigint generated always as identity',
      'alter sequence s restart',
      'select pg_advisory_lock(1)',
      'insert into t (a) select * from unnest($1::bigint[])',
      'insert into t (a) select u.* from unnest($1::bigint[]) as u left join x on x.id = 1',
      'with i as (insert into t (a) select a from x returning a) select a from i',
      'update t set a = concat(a, b)',
      'alter table t add column a bigint references x (id)',
      'alter table t add constraint c unique (a), add column b bigint',
    ];
    assert.deepEqual(
      bad.filter((statement) => notOnCitus(statement).length === 0),
      [],
    );
    for (const good of [
      "insert into t (a) values ('now(); set x')",
      'insert into t (a) select u.* from unnest($1::bigint[]) as u cross join (select count(*) from x) as one',
      'insert into t (a) select a from x',
    ])
      assert.deepEqual(notOnCitus(good), [], good);
  });
});
