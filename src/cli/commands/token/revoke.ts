import { PrecedentError } from '../../../domain/error.ts';
import { dim, good, line } from '../../../operations/view.ts';
import { defineCommand } from '../../own-command.ts';
import { tokenFileHere } from '../../serving/tokens-here.ts';

export const tokenRevoke = defineCommand({
  name: 'token revoke',
  summary: 'end a token at once, on every server that reads its file',
  examples: ['token revoke ci'],
  arguments: { name: { summary: 'as precedent token list shows it', required: true } },
  options: { tokens: { value: 'file', summary: 'the file of tokens (PRECEDENT_TOKENS)' } },
  async run({ name, tokens }) {
    const { readTokens, writeTokens } = await import('../../../http/access/token-file.ts');
    const path = await tokenFileHere(tokens, process.env);
    const all = readTokens(path);
    const rest = all.filter((each) => each.name !== name);
    if (rest.length === all.length)
      throw new PrecedentError(
        'not_found',
        `Expected the name of a token, found "${name}". List them with: precedent token list`,
      );
    writeTokens(path, rest);
    return {
      report: { revoked: name, left: rest.length },
      view: [line(good('✔ revoked '), name, dim(`  ${rest.length} left`))],
    };
  },
});
