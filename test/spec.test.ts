import { describe } from 'node:test';
import { decisionEvidence } from './spec/decision-evidence.ts';
import { decisionGrounds } from './spec/decision-grounds.ts';
import { decisionRetrieval } from './spec/decision-retrieval.ts';
import { memo } from './spec/memo.ts';
import { memoAnswers } from './spec/memo-answers.ts';
import { memoGraph } from './spec/memo-graph.ts';
import { memoTriggers } from './spec/memo-triggers.ts';
import { outcomeNotes } from './spec/outcome-notes.ts';
import { outcomeTracking } from './spec/outcome-tracking.ts';
import { reasoningGraph } from './spec/reasoning-graph.ts';
import { reasoningNotes } from './spec/reasoning-notes.ts';
import { relationsMust } from './spec/relations.ts';
import { relationsContext } from './spec/relations-context.ts';
import { relationsConstraints, relationsSchema, relationsSpeed } from './spec/relations-schema.ts';
import { type EngineUnderTest, engines, isTriedOn, optionsOf } from './support/engines.ts';
import { shareConnections } from './support/postgres.ts';

shareConnections();

/** What is asked of the same tables and answers as in the contract, which runs on every engine. */
const ALIKE = [
  reasoningGraph,
  reasoningNotes,
  outcomeTracking,
  outcomeNotes,
  decisionEvidence,
  decisionGrounds,
  decisionRetrieval,
  memo,
  memoGraph,
  memoAnswers,
  relationsMust,
  relationsContext,
];

/**
 * Every example, criterion, rule and template of the five documents that Precedent was specified by, in their own words
 * and values: two stories, PRD-005, the memo's page, and the relations of a knowledge graph. A test is named after its
 * place there. On PostgreSQL an eighth of them, in turn, and all that is said of the schema.
 */
function specification(engine: EngineUnderTest): void {
  describe(`specification on ${engine.name}`, optionsOf(engine), () => {
    for (const [index, part] of ALIKE.entries()) if (isTriedOn(engine, index)) part(engine);
    relationsSchema(engine);
  });
}

describe('specification without an engine', { concurrency: 4 }, () => {
  memoTriggers();
  relationsConstraints();
});
for (const engine of engines) specification(engine);
describe('specification, how fast', { concurrency: 1 }, () => {
  for (const engine of engines) relationsSpeed(engine);
});
