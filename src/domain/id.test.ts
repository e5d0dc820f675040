import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { idCandidates } from './id.ts';

const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const UNDERSCORED = ID.replaceAll('-', '_');

describe('idCandidates', () => {
  const cases: [name: string, reference: string, candidates: string[]][] = [
    ['a UUID is itself', ID, [ID]],
    ['a UUID in upper case', ID.toUpperCase(), [ID.toUpperCase(), ID]],
    ['decision_<uuid>', `decision_${ID}`, [`decision_${ID}`, ID]],
    ['decision_<uuid> in upper case', `DECISION_${ID.toUpperCase()}`, [`DECISION_${ID.toUpperCase()}`, ID]],
    ['hyphens as underscores', `decision_${UNDERSCORED}`, [`decision_${UNDERSCORED}`, ID]],
    ['an imported id is kept', 'decision_cad_wall_123', ['decision_cad_wall_123']],
    ['underscores that markdown left', 'decision_cad__', ['decision_cad__', 'decision_cad']],
    ['a UUID with underscores that markdown left', `${ID}__`, [`${ID}__`, ID]],
    ['surrounding space', ` ${ID}\n`, [ID]],
    ['a UUID cut short is no UUID', `decision_${ID.slice(0, -1)}`, [`decision_${ID.slice(0, -1)}`]],
  ];
  for (const [name, reference, candidates] of cases) {
    it(`[G-9] ${name}`, () => assert.deepEqual(idCandidates(reference), candidates));
  }

  it('[G-9] every way to write a UUID leads to it', () => {
    const upper = (text: string) => text.toUpperCase();
    const underscored = (text: string) => text.replaceAll('-', '_');
    const prefixed = (text: string) => `decision_${text}`;
    const emphasised = (text: string) => `${text}_`;
    const writing = fc.subarray([upper, underscored, prefixed, emphasised]);
    fc.assert(
      fc.property(fc.uuid(), writing, (id, ways) => {
        assert.equal(idCandidates(ways.reduce((text, way) => way(text), id)).at(-1), id);
      }),
    );
  });

  it('[G-9] the most literal reading comes first, each once, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const candidates = idCandidates(text);
        assert.equal(candidates[0], text.trim());
        assert.equal(new Set(candidates).size, candidates.length);
      }),
    );
  });
});
