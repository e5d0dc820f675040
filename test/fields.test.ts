import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ATTRIBUTES, type Attribute, FIELDS } from '../src/domain/decision.ts';
import { workbench } from './support/program.ts';

/** A value that no field has by itself. */
function sampleOf(name: Attribute): string {
  const of = FIELDS[name];
  if (of.kind === 'choice') return String(of.of.find((each) => each !== of.first));
  if (of.kind === 'day') return '2027-03-01';
  return of.kind === 'number' ? String(of.most) : `some ${name}`;
}

describe('fields of a decision at a terminal', () => {
  it('[B-1] each is an option of the command, and shown to whoever reads the decision', async (test) => {
    const bench = workbench(test, 'here');
    const options = ATTRIBUTES.flatMap((name) => [`--${name}`, sampleOf(name)]);
    await bench.succeed(['decide', 'cad:wall', 'Walls are 200 mm', ...options]);
    for (const command of ['show', 'why']) {
      const shown = (await bench.succeed([command, 'cad:wall'])).replaceAll(/\s+/g, ' ');
      for (const name of ATTRIBUTES) {
        const label = ['number', 'day'].includes(FIELDS[name].kind) ? `${name} ` : '';
        assert(shown.includes(`${label}${sampleOf(name)}`), `${name} in ${command}`);
      }
    }
  });
});
