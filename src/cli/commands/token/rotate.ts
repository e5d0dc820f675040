import { notFound } from '../../../domain/error.ts';
import { dim, good, line, strong } from '../../../operations/view.ts';
import { defineCommand } from '../../own-command.ts';
import { requirePerson } from '../../person.ts';

export const tokenRotate = defineCommand({
  name: 'token rotate',
  summary: 'Replace a token by a new one with the same rights; the old one ends at once',
  examples: ['token rotate minsu'],
  arguments: { name: { about: 'as precedent token list shows it', required: true } },
  options: {
    days: { value: 'number', about: 'how long the new one holds; default: 90' },
    tokens: { value: 'file', about: 'the file of tokens (PRECEDENT_TOKENS)' },
  },
  async run({ name, days, tokens }) {
    const { changeTokens, expiryOf, tokenFileHere } = await import('../../serving/tokens-here.ts');
    const { readTokens } = await import('../../../http/access/token-file.ts');
    const { hashOf, newToken } = await import('../../../http/access/tokens.ts');
    const path = await tokenFileHere(tokens);
    // Whoever gets a person's token could write as one (Z-14).
    if (readTokens(path).some((each) => each.name === name && each.person))
      await requirePerson('token rotate');
    const token = newToken();
    const expires = expiryOf(days);
    await changeTokens(path, (all) => {
      if (!all.some((each) => each.name === name))
        throw notFound.no_token(
          `Expected the name of a token, found "${name}". List them with: precedent token list`,
        );
      return all.map((each) => (each.name === name ? { ...each, hash: hashOf(token), expires } : each));
    });
    return {
      report: { token, name, expires: new Date(expires).toISOString(), file: path },
      view: [
        line(strong(token)),
        line(good('✔ '), `${name}: the token before it has ended`),
        line(dim('It is shown this once: only its hash is kept.')),
      ],
    };
  },
});
