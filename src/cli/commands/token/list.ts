import { dim, line, strong, table, warn } from '../../../operations/view.ts';
import { defineCommand } from '../../own-command.ts';

export const tokenList = defineCommand({
  name: 'token list',
  isDefault: true,
  summary: 'List the tokens of a server, without the tokens themselves',
  examples: ['token'],
  options: { tokens: { value: 'file', about: 'the file of tokens (PRECEDENT_TOKENS)' } },
  async run({ tokens }) {
    const { tokenFileHere } = await import('../../serving/tokens-here.ts');
    const { readTokens } = await import('../../../http/access/token-file.ts');
    const path = await tokenFileHere(tokens);
    const all = readTokens(path);
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const isOver = ({ expires }: { expires: number }) => expires <= Date.now();
    return {
      report: {
        file: path,
        tokens: all.map(({ hash: _, workspaces, expires, ...rest }) => ({
          ...rest,
          workspaces: workspaces ?? '*',
          expires: new Date(expires).toISOString(),
        })),
      },
      view:
        all.length === 0
          ? [line(`No tokens yet in ${path}.`, dim('  precedent token add <name> makes one.'))]
          : [
              table(
                ['name', 'author', 'whose', 'workspaces', 'may', 'until'],
                all.map((each) => [
                  strong(each.name),
                  each.author,
                  each.person ? 'a person’s' : 'a program’s',
                  each.workspaces?.join(', ') ?? 'all',
                  each.access,
                  isOver(each) ? warn(`expired ${day(each.expires)}`) : day(each.expires),
                ]),
              ),
            ],
    };
  },
});
