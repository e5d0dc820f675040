import { text as readAll } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { EXPORT_FORMATS, type ExportFormat } from '../memory/maintenance.ts';
import { dim, line } from '../operations/view.ts';
import { EXIT_CODE } from './exit.ts';
import {
  endQuietly,
  placeWithoutMemory,
  print,
  requireMemory,
  withAnswer,
  withMemory,
  withTwo,
} from './run.ts';

/** Commands that are no operation: what a person does with a memory as a whole. */
export function addOwnCommands(program: Command): void {
  program
    .command('doctor')
    .description('where the memory is, its size and schema, and whether it works')
    .option('--repair', 'make indexes and all else anew that follows from the records')
    .option('--json', 'print the answer as JSON')
    .action(async ({ json, repair }: { json?: boolean; repair?: boolean }) => {
      const location = await placeWithoutMemory(program);
      if (location !== undefined) {
        // Looking makes nothing: a mistyped path is not a memory.
        await print(json === true, { ok: true, exists: false, location }, () => [
          line(`No memory yet at ${location}`),
          line(dim('The first save makes it.')),
        ]);
        return;
      }
      const { examine } = await import('./doctor.ts');
      await withMemory(program, async (memory) => {
        const { view, report, healthy } = await examine(memory, repair === true);
        await print(json === true, report, () => view);
        if (!healthy) process.exitCode = EXIT_CODE.unavailable;
      });
    });

  program
    .command('trigger')
    .argument('<text>', 'a message; - for standard input')
    .description('whether a message asks to note something, or for more; writes nothing')
    .option('--json', 'print the answer as JSON')
    .action(async (message: string, { json }: { json?: boolean }) => {
      const { examineTrigger } = await import('./trigger.ts');
      const { view, report } = examineTrigger(message === '-' ? await readAll(process.stdin) : message);
      await print(json === true, report, () => view);
    });

  program
    .command('export')
    .description('write the whole memory to standard output')
    .addOption(new Option('--format <format>', 'as what').choices(EXPORT_FORMATS).makeOptionMandatory())
    .action(async ({ format }: { format: ExportFormat }) => {
      const { exportMemory } = await import('./export.ts');
      endQuietly();
      await withMemory(program, (memory) => exportMemory(memory, format));
    });

  program
    .command('embed')
    .description('give every record that lacks one a vector of the model in PRECEDENT_EMBED_URL')
    .option('--json', 'print the answer as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { embedAll } = await import('./embed.ts');
      await withAnswer(program, json, (memory) => embedAll(memory));
    });

  program
    .command('import')
    .argument('[file]', 'what "precedent export --format jsonl" wrote; default standard input')
    .description('take in an exported memory, into an empty one')
    .option('--json', 'print the answer as JSON')
    .action(async (file: string | undefined, { json }: { json?: boolean }) => {
      const { importMemory } = await import('./transfer.ts');
      await withAnswer(program, json, (memory) => importMemory(memory, file));
    });

  program
    .command('copy')
    .description('copy a whole memory into an empty one, and compare the two')
    .requiredOption('--from <db>', 'the memory to copy: a file, or a PostgreSQL address')
    .requiredOption(
      '--to <db>',
      'the memory to make, likewise; the workspace on a server is named as the file is',
    )
    .option('--as <name>', 'the workspace to make on a server; --workspace names the one to copy')
    .option('--json', 'print the answer as JSON')
    .action(async ({ from, to, as, json }: { from: string; to: string; as?: string; json?: boolean }) => {
      const { copyMemory } = await import('./transfer.ts');
      await withTwo(program, { from, to, as }, async (source, target) => {
        const { view, report } = await copyMemory(source, target);
        await print(json === true, report, () => view);
      });
    });

  program
    .command('backup')
    .argument('<file>', 'where to; a file that is there is left alone')
    .description('copy the memory into one file, checked, while others go on writing')
    .option('--json', 'print the answer as JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const { backUp } = await import('./backup.ts');
      await requireMemory(program);
      await withAnswer(program, json, (memory) => backUp(memory, file));
    });

  program
    .command('restore')
    .argument('<file>', 'what "precedent backup" made')
    .description('make the memory what a backup holds, all of it or nothing')
    .option('--force', 'in the place of what the memory holds now')
    .option('--json', 'print the answer as JSON')
    .action(async (file: string, { force = false, json }: { force?: boolean; json?: boolean }) => {
      const { restore, withBackup } = await import('./backup.ts');
      await withBackup(file, (backup) =>
        withAnswer(program, json, (memory) => restore(backup, memory, force)),
      );
    });

  program
    .command('redact')
    .argument('<id>', 'of a decision, evidence, anchor, checkpoint or memo; the number of an observation')
    .option('--text <secret>', 'blank only this, wherever it stands in the record; - for standard input')
    .description('blank a secret in a record, its revisions and every index, for good')
    .option('--json', 'print the answer as JSON')
    .action(async (id: string, { text, json }: { text?: string; json?: boolean }) => {
      const { redact } = await import('./redact.ts');
      const secret = text === '-' ? (await readAll(process.stdin)).replace(/\r?\n$/, '') : text;
      await requireMemory(program);
      await withAnswer(program, json, (memory) => redact(memory, id, secret));
    });
}
