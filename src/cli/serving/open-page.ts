import { here } from '../../files/surroundings.ts';
import { authorHere } from '../author.ts';
import { findHere } from '../open.ts';
import type { PlaceOptions } from '../place.ts';
import { serveByLink } from './by-link.ts';
import { sourceOf } from './run.ts';

/** Opens the page of a memory for the person at this machine (V-7): whoever has the link of this run is them. */
export async function openPage(isSilent: boolean, options: PlaceOptions): Promise<void> {
  const place = await findHere(options);
  const author = await authorHere(here().env);
  const source = sourceOf(place, options);
  await serveByLink(
    { name: 'open', author, access: 'write', source, isSilent },
    (link) => `${link}\nThe page of ${place.workspace}. Stop with Ctrl-C.\n`,
  );
}
