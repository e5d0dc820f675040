import { findTrigger } from '../../../domain/language/trigger.ts';
import { dim, good, line } from '../../../operations/view.ts';
import { STANDARD_INPUT, typedOrRead } from '../../input/fields.ts';
import { defineCommand } from '../../own-command.ts';

/** Looks at the words alone and opens no memory (M-1). */
export const trigger = defineCommand({
  name: 'tool trigger',
  summary: 'Test whether a message asks for a memo (memo) or for more (expand); writes nothing',
  examples: ['tool trigger "이거 메모해줘"'],
  arguments: { text: { about: `a message; ${STANDARD_INPUT}`, required: true } },
  async run({ text }) {
    const found = findTrigger(await typedOrRead(text));
    return {
      report: { trigger: found?.trigger ?? null, word: found?.word ?? null },
      ...(!found && { found: false as const }),
      view: [found ? line(good(found.trigger), dim(`  because of "${found.word}"`)) : line(dim('none'))],
    };
  },
});
