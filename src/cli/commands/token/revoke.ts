import { notFound } from '../../../domain/error.ts';
import { dim, good, line } from '../../../operations/view.ts';
import { defineCommand } from '../../own-command.ts';

export const tokenRevoke = defineCommand({
  name: 'token revoke',
  summary: 'End a token at once, on every server that reads its file',
  examples: ['token revoke ci'],
  arguments: { name: { about: 'as "precedent token" shows it', required: true } },
  options: { tokens: { value: 'file', about: 'the file of tokens (PRECEDENT_TOKENS)' } },
  async run({ name, tokens }) {
    const { changeTokens, tokenFileHere } = await import('../../serving/tokens-here.ts');
    const path = await tokenFileHere(tokens);
    const rest = await changeTokens(path, (all) => {
      const others = all.filter((each) => each.name !== name);
      if (others.length < all.length) return others;
      throw notFound.no_token(
        `Expected the name of a token in ${path}, found "${name}". List them with: precedent token`,
      );
    });
    return {
      report: { revoked: name, left: rest.length, file: path },
      view: [line(good('✔ revoked '), name, dim(`  ${rest.length} left in ${path}`))],
    };
  },
});
