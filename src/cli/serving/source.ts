import type { Source } from '../../http/memories.ts';
import { openForServer } from '../open-for-server.ts';
import type { Place, PlaceOptions } from '../place.ts';
import { atHome } from '../repository/home.ts';

/** The memories of a place, for a server: all of the data folder or of a database, or the one file that was named. */
export function sourceOf(place: Place, { db }: PlaceOptions): Source {
  const { home, workspace: main } = place;
  if (!home) {
    return {
      main,
      only: main,
      list: async () => [main],
      open: () => openForServer({ db }, new Set()),
    };
  }
  return {
    main,
    list: () =>
      atHome(home, async (workspaces) => (await workspaces.list()).map(({ workspace }) => workspace)),
    open: (workspace) => openForServer({ db, workspace }, new Set()),
  };
}
