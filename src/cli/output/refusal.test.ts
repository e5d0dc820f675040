import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { catalogue } from '../catalogue/catalogue.ts';
import { inOwnWords, withCommands } from './refusal.ts';

const specOf = (...words: string[]) => catalogue.find((each) => each.words.join(' ') === words.join(' '));

describe('a refusal on the command line', () => {
  it('[U-8] names options and arguments as they are typed, and no operation before them', () => {
    const said = (message: string, ...words: string[]) => inOwnWords(message, specOf(...words), catalogue);
    assert.equal(said('mem_relate: Expected "to_id" to be', 'relate'), 'Expected "to-id" to be');
    assert.equal(said('Expected "fullText" to hold', 'memo'), 'Expected "full-text" to hold');
    assert.equal(said('Expected "asOf" as a date', 'list', 'decisions'), 'Expected --at as a date');
    assert.equal(said('such as mama_save', 'import'), 'such as mama_save');
  });

  it('[U-8] calls an operation by its command, but for what a person wrote', () => {
    const said = (text: string) => withCommands(text, catalogue);
    assert.equal(said('Look for it with mem_search.'), 'Look for it with "precedent search".');
    assert.equal(
      said('decision_list ("precedent list") and timeline ("precedent log") take one.'),
      '"precedent list" and "precedent log" take one.',
    );
    for (const own of ['found "use mem_search"', '“decision_get keeps it”', 'hard_delete: true'])
      assert.equal(said(own), own);
  });
});
