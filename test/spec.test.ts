import { describe } from 'node:test';
import { decisionEvidence } from './spec/decision-evidence.ts';
import { decisionGrounds } from './spec/decision-grounds.ts';
import { decisionRetrieval } from './spec/decision-retrieval.ts';
import { outcomeNotes } from './spec/outcome-notes.ts';
import { outcomeTracking } from './spec/outcome-tracking.ts';
import { reasoningGraph } from './spec/reasoning-graph.ts';
import { reasoningNotes } from './spec/reasoning-notes.ts';
import { type EngineUnderTest, engines, optionsOf } from './support/engines.ts';

/** Every example, criterion, rule and template of the specification, in its own words and values. */
function specification(engine: EngineUnderTest): void {
  describe(`specification on ${engine.name}`, optionsOf(engine), () => {
    reasoningGraph(engine);
    reasoningNotes(engine);
    outcomeTracking(engine);
    outcomeNotes(engine);
    decisionEvidence(engine);
    decisionGrounds(engine);
    decisionRetrieval(engine);
  });
}

for (const engine of engines) specification(engine);
