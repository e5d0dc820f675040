import { redirectScopeName } from '../decisions/scope.ts';
import { chainCalled, redirectTopic, renameChain } from '../decisions/topic.ts';
import { valuesIn } from '../json-list.ts';
import { findName } from '../names.ts';
import type { Tx } from '../tx.ts';
import type { Part, SavedChange } from './part.ts';
import { restsOnName } from './rests.ts';

/** A topic or a scope that was joined with another leads again where it led. */
export async function joinedPart(tx: Tx, { before, after }: SavedChange): Promise<Part> {
  const [was, now] = [valuesIn(before), valuesIn(after)] as Record<string, string>[];
  const isTopic = was?.topic !== undefined;
  const name = String(isTopic ? was?.topic : was?.name);
  const [from, to] = isTopic ? [now?.chain, was?.chain] : [now?.scope, was?.scope];
  const leads = await findName(tx, isTopic ? 'topics' : 'scopes', name);
  return {
    effect: {
      kind: isTopic ? 'topic' : 'scope',
      id: name,
      name,
      text: name,
      becomes: `leading again to ${to}`,
    },
    rests:
      leads?.target === from ? [] : [`${isTopic ? 'topic' : 'scope'} "${name}", which leads elsewhere since`],
    takeBack: () => (isTopic ? redirectTopic : redirectScopeName)(tx, name, String(from), String(to)),
  };
}

/**
 * A chain that was renamed gets its topic back; the name that it was given leads to it no longer.
 * @param save the number of the save that renamed it
 */
export async function renamedPart(
  tx: Tx,
  recordSeq: number,
  { before, after }: SavedChange,
  save: number,
): Promise<Part> {
  const root = await tx.db
    .selectFrom('decisions')
    .select(['rootId', 'topic'])
    .where('seq', '=', recordSeq)
    .executeTakeFirstOrThrow();
  const [was, now] = [valuesIn(before), valuesIn(after)] as {
    topic: string | null;
    name?: string;
  }[];
  const to = was?.topic ?? null;
  const renaming = {
    rootId: root.rootId,
    from: root.topic,
    to,
    ...(was?.name !== undefined && { added: was.name }),
    ...(now?.name !== undefined && { dropped: now.name }),
  };
  // What others saved since was saved under this name, and would be called otherwise.
  const rests = await restsOnName(tx, root.rootId, save);
  if (root.topic !== now?.topic) rests.push(`its present topic "${root.topic}", which it was given since`);
  const other =
    to === null ? undefined : ((await findName(tx, 'topics', to))?.target ?? (await chainCalled(tx, to)));
  if (other !== undefined && other !== root.rootId)
    rests.push(`another decision, to which the topic "${to}" leads now`);
  return {
    effect: {
      kind: 'topic',
      id: String(now?.topic),
      name: String(now?.topic),
      text: String(now?.topic),
      becomes: to === null ? 'without a name' : `called "${to}" again`,
    },
    rests,
    takeBack: () => renameChain(tx, renaming),
  };
}
