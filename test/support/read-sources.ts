import type { Machine } from '../../src/interchange/importers/importer.ts';
import { readSource, sourcesHere } from '../../src/memory/importing.ts';

/** A process of its own that reads sources of other tools, so that its calls to the system can be watched. */
const { sources, home }: { sources: [source: string, path: string][]; home: string } = JSON.parse(
  process.argv[2] ?? '',
);
const machine: Machine = { home, folder: home, platform: process.platform, env: {} };
for (const [source, path] of sources) {
  let told: string;
  try {
    const { decisions, observations } = readSource(source, path, machine, {});
    told = `${decisions.length + observations.length}`;
  } catch (error) {
    told = error instanceof Error ? error.message : String(error);
  }
  process.stdout.write(`${source}: ${told}\n`);
}
sourcesHere(machine);
