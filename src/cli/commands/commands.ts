import { dim, line, strong, table } from '../../operations/view.ts';
import { defineCommand } from '../own-command.ts';

export const listCommands = defineCommand({
  name: 'commands',
  summary: 'List every command; with --json also their arguments and options',
  examples: ['commands'],
  async run(_, __, all) {
    return {
      report: {
        commands: all.map(({ words, title, about, examples, arguments: given, options, operation }) => ({
          command: words.join(' '),
          title,
          about,
          examples,
          arguments: given.map(({ name, about, required = false }) => ({ name, about, required })),
          options: options
            .filter(({ hidden }) => !hidden)
            .map(({ name, about, required = false, value }) => ({ name, about, required, value })),
          ...(operation && { tool: operation.name }),
        })),
      },
      view: [
        table(
          [],
          all
            .filter(({ words: [first] }) => first !== 'tool')
            .map(({ words, title }) => [strong(words.join(' ')), title]),
        ),
        line(
          dim(
            '"precedent <command> --help" has examples; "precedent tool --help" lists the tools of agents.',
          ),
        ),
      ],
    };
  },
});
