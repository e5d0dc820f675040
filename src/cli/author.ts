import { userInfo } from 'node:os';
import { parse } from 'node:path';
import { cliConversation } from '../domain/conversation.ts';
import { newId } from '../domain/id.ts';
import { CLI_ALONE } from '../domain/via.ts';
import { here, type Surroundings } from '../files/surroundings.ts';
import { askable, branchOf } from '../git/folder.ts';
import { userOf } from '../git/questions.ts';
import { clientHere } from './person.ts';

const known = new WeakMap<Surroundings, Promise<string>>();

/**
 * Who runs the program, as what they save says (K-4): as PRECEDENT_AUTHOR says, else git's user name and e-mail, else the
 * account. Asked once, and again where git answered too late; empty when nobody knows.
 */
export function authorHere(environment: NodeJS.ProcessEnv): Promise<string> {
  const surroundings = here();
  const author = known.get(surroundings) ?? findAuthor(environment, () => known.delete(surroundings));
  known.set(surroundings, author);
  return author;
}

/** {@link authorHere}, asked anew. @param late called where git answered too late */
export async function findAuthor(
  { PRECEDENT_AUTHOR: named }: NodeJS.ProcessEnv,
  late: () => void = () => {},
): Promise<string> {
  return named?.trim() || (await gitUser(late)) || account();
}

/** Git's user here; in a folder that git may not be asked about, that of the account. */
async function gitUser(late: () => void): Promise<string | undefined> {
  const cwd = here().cwd();
  return userOf(askable(cwd)?.top ?? parse(cwd).root, late);
}

/** The conversation of whoever uses the command line (M-12). Git is not asked: it is one person, however they sign. */
function conversationHere(): string {
  return cliConversation(account() || String(process.getuid?.() ?? ''));
}

/** Who saves here, and on which branch: asked for where something is saved, since git may be slow and branches change. */
export async function signature(): Promise<{ author: string; branch: string | undefined }> {
  return { author: await authorHere(here().env), branch: branchOf(here().cwd()) };
}

/** {@link writerHere} with the author, and by whom: a person, an agent or a script (Z-14). */
export async function signed() {
  const [signs, client] = await Promise.all([signature(), clientHere()]);
  return { ...writerHere(), ...signs, client };
}

/** A session that is named is also the conversation; without one, each command has its own, and they belong to the user. */
export function writerHere() {
  const session = here().env.PRECEDENT_SESSION;
  return {
    client: CLI_ALONE,
    ...(session === undefined ? { session: newId(), conversation: conversationHere() } : { session }),
  };
}

function account(): string {
  try {
    return userInfo().username;
  } catch {
    // An account that has a number and no name, as in some containers.
    return '';
  }
}
