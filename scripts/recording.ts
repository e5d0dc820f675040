import { parseArgs } from 'node:util';
import { postgres, sqlite } from '../test/support/engines.ts';
import { compare, inWords, record, recordedLives } from '../test/support/recording.ts';
import { LIFE_NAMES, machinesOf, stepsOf } from '../test/support/recording-lives.ts';

/**
 * Asks this program what `test/recording/` says an earlier one answered, and prints the calls that it answers otherwise, with
 * both answers. PRECEDENT_TEST_POSTGRES asks it on PostgreSQL, too.
 *
 *   node scripts/recording.ts [--write] [--all] [LIFE…]
 *
 * `--write` plays the lives anew and records this program's answers. `--all` prints every difference, also those that
 * `test/recording/intended.ts` names.
 */
const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean' }, all: { type: 'boolean' } },
  allowPositionals: true,
});
const tell = (line: string) => process.stdout.write(`${line}\n`);
/** Differences of one life that are printed without --all: the first ones cause the others. */
const SHOWN = 3;

if (values.write) {
  for (const life of positionals.length > 0 ? positionals : LIFE_NAMES)
    tell(`${life}: ${await record(sqlite, life, machinesOf(life), stepsOf(life))} calls`);
} else {
  let unexpected = 0;
  for (const engine of [sqlite, postgres].filter(({ skip }) => skip === undefined))
    for (const life of positionals.length > 0 ? positionals : recordedLives()) {
      const differences = await compare(engine, life);
      const others = differences.filter(({ intended }) => intended === undefined);
      unexpected += others.length;
      const onPurpose = differences.length - others.length;
      tell(
        `${engine.name}, ${life}: ${others.length} differ${onPurpose > 0 ? `, and ${onPurpose} on purpose` : ''}`,
      );
      for (const each of values.all ? differences : others.slice(0, SHOWN)) tell(inWords(each));
    }
  process.exitCode = unexpected > 0 ? 1 : 0;
}
