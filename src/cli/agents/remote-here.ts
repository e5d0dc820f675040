import { type Remote, TOKEN } from '../../agents/remote.ts';
import { PrecedentError } from '../../domain/error.ts';
import { checkWorkspace } from '../../domain/workspace.ts';
import { here } from '../../files/surroundings.ts';
import { dim, line, type View, warn } from '../../operations/view.ts';
import { asking } from '../open.ts';
import { findPlace, type PlaceOptions } from '../place.ts';
import { addressOf, isLoopback } from '../serving/where.ts';

/**
 * The server that setup shall enter (A-1, H-1).
 * @param inProject whether it goes into the files of a project: then it is the memory of this repository, unless another
 *   one is named
 * @throws PrecedentError `invalid` for an address that no server of ours can have, for one together with `--db`, and for a repository that
 *   every machine would call by another name
 */
export async function remoteHere(
  url: string,
  { db, workspace }: PlaceOptions,
  inProject: boolean,
): Promise<Remote> {
  if (db !== undefined)
    throw new PrecedentError(
      'invalid',
      `Expected --url or --db, found both: the server at ${url} has its memories where it runs.`,
    );
  if (workspace !== undefined) checkWorkspace(workspace);
  const address = addressOf(url, '--url');
  const name = workspace ?? (inProject ? await nameForAll() : undefined);
  return { url: address, ...(name !== undefined && { workspace: name.normalize('NFC') }) };
}

/** The name of this repository that is the same on every machine: that of its remote. */
async function nameForAll(): Promise<string> {
  const { repository } = await findPlace({}, {}, here().cwd(), asking);
  if (repository?.remoteName !== undefined) return repository.remoteName;
  throw new PrecedentError(
    'invalid',
    'Expected the name of a memory, since this repository has no remote that names it for everybody. Name one with --workspace.',
  );
}

/** What a person has to know of agents that reach a server. */
export function remoteView({ url, workspace }: Remote): View {
  const { protocol, hostname } = new URL(url);
  const isOpen = protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
  return [
    ...(isOpen
      ? [line(warn(`! ${url} is not encrypted: whoever is on the way can read the token. Use https.`))]
      : []),
    ...(workspace === undefined
      ? [
          line(
            dim(
              'All projects have the memory of the token. Name one with --workspace, or run this with --project in each project.',
            ),
          ),
        ]
      : []),
    line(
      dim(
        `The token is in no file: these agents and their hooks read it from ${TOKEN}. Set it where they are started.`,
      ),
    ),
  ];
}
