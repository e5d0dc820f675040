import { counted, dim, good, line, warnings } from '../../operations/view.ts';
import { KEEP_SECRET, STANDARD_INPUT } from '../input/fields.ts';
import { openFile } from '../input/file.ts';
import { countFilled, linesOf } from '../input/lines.ts';
import { withReceived } from '../input/received.ts';
import { open, using } from '../open.ts';
import { withProgressBar } from '../output/progress.ts';
import { defineCommand } from '../own-command.ts';

const EXPECTED = 'a file with one save a line';

export const batch = defineCommand({
  name: 'batch',
  summary: 'Save many records from a file, one on each line: all or none',
  about:
    'Saves one record for each line, in order: all of them, or none if one is refused; the refusal names the line. A line is a JSON object with the fields of a tool that saves, and "operation", its name ("precedent tool --help" lists them). With "date", earlier history can be entered.',
  examples: [
    'batch history.jsonl',
    'batch - < history.jsonl',
    `batch - << 'END'
{"operation":"mama_update","id":"auth:token","outcome":"failed","reason":"Scripts read it"}
{"operation":"mem_save","title":"proxy","content":"It cuts headers at 4 kB"}
END
`,
  ],
  arguments: { file: { about: `the lines; ${STANDARD_INPUT}`, required: true } },
  options: { keepSecret: { about: KEEP_SECRET } },
  run({ file, keepSecret = false }, place) {
    return withReceived(file, EXPECTED, place, async (path) => {
      const lines = linesOf(await openFile(path, EXPECTED));
      // Read twice, so that no line is kept.
      const all = async () => countFilled(await openFile(path, EXPECTED));
      const how = { keepsSecrets: keepSecret };
      return using(await open(place, { create: 'new' }), async (memory) => {
        const { saved, warnings: warned } = await withProgressBar(
          (progress) => memory.batch(lines, (done) => progress(done, all), how),
          'Saving ',
        );
        const { workspace } = memory;
        const count = counted(saved, 'record');
        return {
          report: { workspace, saved, warnings: warned },
          view: [line(good('✔ saved '), count, dim(`  workspace ${workspace}`)), ...warnings(warned)],
        };
      });
    });
  },
});
