import { describe } from 'node:test';
import { chains } from './contract/chains.ts';
import { edges } from './contract/edges.ts';
import { grounds } from './contract/grounds.ts';
import { keywords } from './contract/keywords.ts';
import { limits } from './contract/limits.ts';
import { memos } from './contract/memos.ts';
import { observations } from './contract/observations.ts';
import { outcomes } from './contract/outcomes.ts';
import { recall } from './contract/recall.ts';
import { relations } from './contract/relations.ts';
import { search } from './contract/search.ts';
import { transfer } from './contract/transfer.ts';
import { type EngineUnderTest, engines, optionsOf } from './support/engines.ts';

/** All that a memory promises, whatever it is stored in. */
function contract(engine: EngineUnderTest): void {
  describe(`contract on ${engine.name}`, optionsOf(engine), () => {
    chains(engine);
    edges(engine);
    outcomes(engine);
    search(engine);
    grounds(engine);
    limits(engine);
    observations(engine);
    relations(engine);
    keywords(engine);
    memos(engine);
    recall(engine);
    transfer(engine);
  });
}

for (const engine of engines) contract(engine);
