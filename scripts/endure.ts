import { contend, crash, fuzz } from '../test/support/endurance.ts';
import { workbench } from '../test/support/program.ts';

/**
 * Long runs of what the tests do briefly, on the built program:
 *
 *   npm run endure -- crash [rounds]    npm run endure -- contend [writes of each of 8]    npm run endure -- fuzz [calls]
 *
 * The first two in files, or on the server whose address comes last: npm run endure -- crash 300 postgres://…
 */
const [what, count, database] = process.argv.slice(2);
const clean: (() => Promise<void>)[] = [];
const bench = workbench({ after: (each) => clean.push(each) });
const tell = (line: string) => process.stdout.write(`${line}\n`);
const started = performance.now();
try {
  if (what === 'crash')
    tell(`${await crash(bench, Number(count ?? 300), tell, database)} writes acknowledged, none lost`);
  else if (what === 'contend') await contend(bench, 8, Number(count ?? 1_000), database);
  else if (what === 'fuzz') tell(JSON.stringify(await fuzz(bench, Number(count ?? 100_000), 7, tell)));
  else throw new Error('Expected crash, contend or fuzz.');
  tell(`${what}: done in ${((performance.now() - started) / 1000).toFixed(0)} s`);
} finally {
  for (const each of clean) await each();
}
