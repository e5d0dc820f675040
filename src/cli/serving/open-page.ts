import { byTokens } from '../../http/access/authenticate.ts';
import { hashOf, newToken } from '../../http/access/tokens.ts';
import { toolsOf } from '../../mcp/tools.ts';
import { authorHere } from '../author.ts';
import { openBrowser, wantsBrowser } from '../demo/browser.ts';
import { findHere } from '../open.ts';
import type { PlaceOptions } from '../place.ts';
import { NEVER } from './access.ts';
import { asked, serveUntil, sourceOf } from './run.ts';
import { whereOf } from './where.ts';

/** A terminal that is closed ends it, too. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Opens the page of a memory for the person at this machine (V-7): whoever has the link of this run is them. */
export async function openPage(isSilent: boolean, options: PlaceOptions): Promise<void> {
  const { env: environment, platform, stdout } = process;
  const place = await findHere(options);
  const token = newToken();
  const grant = {
    name: 'open',
    author: await authorHere(environment),
    workspaces: undefined,
    access: 'write',
    expires: NEVER,
  } as const;
  const served = {
    at: whereOf({ port: '0' }),
    access: { authenticate: byTokens([{ ...grant, hash: hashOf(token) }], Date.now) },
    source: sourceOf(place, options),
    tools: toolsOf(undefined),
    audit: () => {},
    isWriting: true,
  };
  await serveUntil(
    () => asked(SIGNALS),
    served,
    (base) => {
      const link = `${base}/#token=${token}`;
      stdout.write(`${link}\nThe page of ${place.workspace}. Stop with Ctrl-C.\n`);
      if (wantsBrowser({ isSilent, environment, platform, isTerminal: stdout.isTTY === true }))
        openBrowser(link);
    },
  );
}
