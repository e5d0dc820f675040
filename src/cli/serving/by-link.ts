import { here } from '../../files/surroundings.ts';
import { byTokens } from '../../http/access/authenticate.ts';
import { hashOf, newToken } from '../../http/access/tokens.ts';
import type { Source } from '../../http/memories.ts';
import { toolsOf } from '../../operations/tools.ts';
import { openBrowser, wantsBrowser } from '../demo/browser.ts';
import { isPersonHere } from '../person.ts';
import { NEVER } from './access.ts';
import { asked, serveUntil } from './run.ts';
import { whereOf } from './where.ts';

/** Resolves when it should end: with a terminal that is closed, too, so that nothing stays behind. */
export const linkEnded = () => asked(['SIGTERM', 'SIGINT', 'SIGHUP']);

/** Who has a link, and what it leads to. */
interface Linked {
  name: string;
  author: string;
  access: 'read' | 'write';
  source: Source;
  /** Opens no browser. */
  isSilent: boolean;
  /** Called once it listens: resolves when it should end. */
  end?: () => Promise<unknown>;
}

/**
 * Serves the page to whoever has the link of this run, on this machine alone, and opens a browser where there is one.
 * @param introduce what is printed first, with the link in it
 */
export async function serveByLink(
  { name, author, access, source, isSilent, end = linkEnded }: Linked,
  introduce: (link: string) => string,
): Promise<void> {
  const { env: environment, stdout } = here();
  const token = newToken();
  const grant = {
    ...{ name, author, access, person: await isPersonHere(), workspaces: undefined },
    ...{ expires: NEVER, hash: hashOf(token) },
  };
  const served = {
    at: whereOf({ port: '0' }),
    access: { authenticate: byTokens([grant], Date.now) },
    source,
    tools: toolsOf(undefined),
    audit: () => {},
    isWriting: access === 'write',
  };
  await serveUntil(end, served, (base) => {
    const link = `${base}/#token=${token}`;
    stdout.write(introduce(link));
    if (
      wantsBrowser({ isSilent, environment, platform: process.platform, isTerminal: stdout.isTTY === true })
    )
      openBrowser(link);
  });
}
