import { conflict, invalid, notFound } from '../../../domain/error.ts';
import { label } from '../../../domain/text/label.ts';
import { secretIn } from '../../../domain/text/masking.ts';
import { excerptOf } from '../../../domain/text/visible.ts';
import { checkWorkspace } from '../../../domain/workspace.ts';
import { here } from '../../../files/surroundings.ts';
import type { TokenRecord } from '../../../http/access/tokens.ts';
import { dim, good, line, strong, warn } from '../../../operations/view.ts';
import { authorHere } from '../../author.ts';
import type { Answer } from '../../output/print.ts';
import { defineCommand } from '../../own-command.ts';
import { requirePerson } from '../../person.ts';
import type { PlaceOptions } from '../../place.ts';

export const tokenAdd = defineCommand({
  name: 'token add',
  summary: 'Make a token for a server, and show it once',
  examples: [
    'token add ci --read --days 30',
    'token add minsu --workspaces shop,bank',
    'token add kim --for-person',
  ],
  arguments: { name: { about: 'what it is for: a person, a program, CI', required: true } },
  options: {
    workspaces: {
      value: 'names',
      about: 'the memories that it may see, separated by commas; default: all',
    },
    read: { about: 'it may only read' },
    sync: { about: 'it may also sync, and so write in anybody’s name' },
    forPerson: { about: 'a person uses it, at the page or in scripts: what it writes needs no review' },
    days: { value: 'number', about: 'how long it holds; default: 90' },
    author: { value: 'name', about: 'who writes with it; default: you' },
    again: {
      about:
        'replace the token of this name with a new one that has the same rights; the old one ends at once',
    },
    tokens: { value: 'file', about: 'the file of tokens (PRECEDENT_TOKENS)' },
  },
  async run({ name, workspaces, read, sync, forPerson, days, author, again, tokens }, place) {
    if (again) {
      if (workspaces ?? author ?? (read || sync || forPerson || undefined))
        throw invalid.both_given(
          'Expected --again with --days at most, found other rights: a new token has those of the old one. To change them, revoke it, and add it again.',
        );
      return addAgain(name, days, tokens);
    }
    if (read && sync)
      throw invalid.both_given('Expected --read or --sync, found both: whoever syncs writes.');
    const { changeTokens, expiryOf, tokenFileHere } = await import('../../serving/tokens-here.ts');
    const { hashOf, newToken } = await import('../../../http/access/tokens.ts');
    if (forPerson) await requirePerson('token add --for-person');
    checkName(name);
    for (const each of [name, author ?? '']) refuseSecret(each);
    const path = await tokenFileHere(tokens);
    const names = workspaces?.split(',').map((each) => each.trim().normalize('NFC'));
    for (const each of names ?? []) checkWorkspace(each);
    const expires = expiryOf(days);
    const token = newToken();
    const grant = {
      name,
      author: label(author ?? '') || label(await authorHere(here().env)),
      person: forPerson === true,
      workspaces: names,
      access: sync ? ('sync' as const) : read ? ('read' as const) : ('write' as const),
      expires,
    };
    await changeTokens(path, (all) => {
      if (!all.some((each) => each.name === name)) return [...all, { ...grant, hash: hashOf(token) }];
      throw conflict.name_taken(
        `Expected a new name, found "${name}", which is taken. For a new token with its rights: precedent token add ${JSON.stringify(name)} --again. For other rights, revoke it first: precedent token revoke ${JSON.stringify(name)}`,
      );
    });
    const warnings = [
      ...(author === undefined && !read
        ? [
            `What is written with it has you as its author, "${grant.author}". If it is for somebody else, revoke it, and add it again with --author NAME.`,
          ]
        : []),
      ...(await unknownOf(names ?? [], place)),
    ];
    const until = new Date(expires).toISOString().slice(0, 10);
    const what = `${forPerson ? 'a person’s, ' : ''}${names?.join(', ') ?? 'every workspace'}, ${read ? 'read only' : sync ? 'read, write and sync' : 'read and write'}, until ${until}`;
    return {
      report: {
        token,
        ...grant,
        workspaces: names ?? '*',
        expires: new Date(expires).toISOString(),
        file: path,
        ...(warnings.length > 0 && { warnings }),
      },
      view: [
        line(strong(token)),
        line(good('✔ '), `${name}: ${what}${read ? '' : `; writes as ${grant.author}`}`),
        ...warnings.map((each) => line(warn(`! ${each}`))),
        line(dim('It is shown this once: only its hash is kept.')),
        line(dim(nextFor(grant))),
      ],
    };
  },
});

/** The next step of a token's holder. */
function nextFor({ access, person }: Pick<TokenRecord, 'access' | 'person'>): string {
  if (access === 'sync')
    return 'Next, on the machine that syncs: set PRECEDENT_TOKEN to it, and run "precedent sync --init ADDRESS" with the address of the server.';
  if (person)
    return 'Next, for its holder: open the address of the server in a browser and enter it there. Scripts send it as "Authorization: Bearer …".';
  return 'Next, where its holder’s agents start: set PRECEDENT_TOKEN to it, and run "precedent setup --url ADDRESS" with the address of the server. Other programs send it as "Authorization: Bearer …".';
}

/** Replaces a token by one with the same rights. @throws PrecedentError `not_found` where none has this name */
async function addAgain(name: string, days: string | undefined, file: string | undefined): Promise<Answer> {
  const { changeTokens, expiryOf, tokenFileHere } = await import('../../serving/tokens-here.ts');
  const { readTokens } = await import('../../../http/access/token-file.ts');
  const { hashOf, newToken } = await import('../../../http/access/tokens.ts');
  const path = await tokenFileHere(file);
  // Whoever gets a person's token could write as one (Z-14).
  if (readTokens(path).some((each) => each.name === name && each.person))
    await requirePerson('token add --again');
  const token = newToken();
  const expires = expiryOf(days);
  const all = await changeTokens(path, (all) => {
    if (!all.some((each) => each.name === name))
      throw notFound.no_token(
        `Expected the name of a token, found "${name}". List them with: precedent token`,
      );
    return all.map((each) => (each.name === name ? { ...each, hash: hashOf(token), expires } : each));
  });
  return {
    report: { token, name, expires: new Date(expires).toISOString(), file: path },
    view: [
      line(strong(token)),
      line(good('✔ '), `${name}: the token before it has ended`),
      line(dim('It is shown this once: only its hash is kept.')),
      ...all.flatMap((each) => (each.name === name ? [line(dim(nextFor(each)))] : [])),
    ],
  };
}

/** A warning for each workspace that is not there: its name may be mistyped. Without a memory in reach there is none. */
async function unknownOf(names: string[], options: PlaceOptions): Promise<string[]> {
  if (names.length === 0) return [];
  const { findEvenOff } = await import('../../open.ts');
  const { atHome } = await import('../../repository/home.ts');
  const { namedAt } = await import('../../workspaces/memories.ts');
  const { nearest } = await import('../../workspaces/near.ts');
  const { home } = await findEvenOff(options);
  const there = home && (await atHome(home, (all) => namedAt(home, all)).catch(() => undefined));
  return names
    .filter((name) => there && !there.some(({ workspace }) => workspace === name))
    .map((name) => {
      const near = nearest(name, there ?? []);
      return `No workspace "${name}" is there yet.${near === undefined ? '' : ` Did you mean "${near}"?`}`;
    });
}

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
