import { conflict, invalid } from '../../../domain/error.ts';
import { label } from '../../../domain/text/label.ts';
import { secretIn } from '../../../domain/text/masking.ts';
import { excerptOf } from '../../../domain/text/visible.ts';
import { checkWorkspace } from '../../../domain/workspace.ts';
import { here } from '../../../files/surroundings.ts';
import { dim, good, line, strong } from '../../../operations/view.ts';
import { authorHere } from '../../author.ts';
import { defineCommand } from '../../own-command.ts';
import { requirePerson } from '../../person.ts';

/** How long a token holds that names no time, in days. */
const DAYS = 90;
const DAY = 86_400_000;

export const tokenAdd = defineCommand({
  name: 'token add',
  summary: 'Make a token for a server, and show it once',
  examples: [
    'token add ci --read --days 30',
    'token add minsu --workspaces shop,bank',
    'token add laptop --sync',
    'token add kim --person',
  ],
  arguments: { name: { about: 'what it is for: a person, a program, CI', required: true } },
  options: {
    workspaces: {
      value: 'names',
      about: 'the memories that it may see, separated by commas; default: all',
    },
    read: { about: 'it may only read' },
    sync: { about: 'it may also sync, and so write in anybody’s name' },
    person: { about: 'a person uses it, at the page or in scripts: what it writes needs no review' },
    days: { value: 'number', about: `how long it holds; default: ${DAYS}` },
    author: { value: 'name', about: 'who writes with it; default: you' },
    tokens: { value: 'file', about: 'the file of tokens (PRECEDENT_TOKENS)' },
  },
  async run({ name, workspaces, read, sync, person, days, author, tokens }) {
    if (read && sync)
      throw invalid.both_given('Expected --read or --sync, found both: whoever syncs writes.');
    const { changeTokens, tokenFileHere } = await import('../../serving/tokens-here.ts');
    const { hashOf, newToken } = await import('../../../http/access/tokens.ts');
    if (person) await requirePerson('token add --person');
    checkName(name);
    for (const each of [name, author ?? '']) refuseSecret(each);
    const path = await tokenFileHere(tokens);
    const names = workspaces?.split(',').map((each) => each.trim().normalize('NFC'));
    for (const each of names ?? []) checkWorkspace(each);
    const expires = Date.now() + daysOf(days) * DAY;
    const token = newToken();
    const grant = {
      name,
      author: label(author ?? '') || label(await authorHere(here().env)),
      person: person === true,
      workspaces: names,
      access: sync ? ('sync' as const) : read ? ('read' as const) : ('write' as const),
      expires,
    };
    await changeTokens(path, (all) => {
      if (!all.some((each) => each.name === name)) return [...all, { ...grant, hash: hashOf(token) }];
      throw conflict.name_taken(
        `Expected a new name, found "${name}", which is there. Revoke it first: precedent token revoke ${JSON.stringify(name)}`,
      );
    });
    const until = new Date(expires).toISOString().slice(0, 10);
    const what = `${person ? 'a person’s, ' : ''}${names?.join(', ') ?? 'every workspace'}, ${read ? 'read only' : sync ? 'read, write and sync' : 'read and write'}, until ${until}`;
    return {
      report: {
        token,
        ...grant,
        workspaces: names ?? '*',
        expires: new Date(expires).toISOString(),
        file: path,
      },
      view: [
        line(strong(token)),
        line(good('✔ '), `${name}: ${what}`),
        line(dim('It is shown this once: only its hash is kept.')),
      ],
    };
  },
});

/** An empty name, as of a variable that is not set, would be a line that no server reads. */
function checkName(name: string): void {
  const shown = excerptOf(name, 200);
  if (name.trim() !== '' && shown === name) return;
  throw invalid.wrong_name(
    `Expected a name of 1 to 200 characters in one line, found ${JSON.stringify(shown)}.`,
  );
}

/** Names are in the file of tokens and in the audit (Z-9). */
function refuseSecret(name: string): void {
  const secret = secretIn(name);
  if (secret === undefined) return;
  throw invalid.holds_secret(`Expected a name, found one that holds a secret (${secret}).`);
}

function daysOf(given: string | undefined): number {
  const days = given === undefined ? DAYS : Number(given);
  if (Number.isInteger(days) && days > 0 && days <= 3650) return days;
  throw invalid.out_of_range(`Expected --days to be a number from 1 to 3650, found "${given}".`);
}
