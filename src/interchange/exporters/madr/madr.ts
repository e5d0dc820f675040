import { idsOf } from '../../../domain/id.ts';
import { listedVersions, restNamed, wholeVersions } from '../../../store/export/versions.ts';
import type { Tx } from '../../../store/tx.ts';
import { chainsOf, type Kept } from '../chains.ts';
import type { ExportedFile, ExportTerms } from '../exporter.ts';
import { filesOf } from './files.ts';
import { type Placed, recordOf } from './record.ts';

/** The name in the memory of the reader of such a folder. */
const SOURCE = 'adr';

/**
 * Every decision as a folder of MADR 4 (I-5): a version a file. It comes back whole: read into an empty memory and written
 * out again, it has the same bytes. Observations, checkpoints, memos and anchors are not decisions, and are left out.
 */
export async function* madrOf(
  tx: Tx,
  { chosen, authors }: Pick<ExportTerms, 'chosen' | 'authors'>,
): AsyncGenerator<ExportedFile> {
  const stated = await listedVersions(tx, chosen);
  const files = filesOf(stated, await restNamed(tx, SOURCE, 'file'));
  const { all, byId } = chainsOf(stated);
  const fileOf = (version: Kept | undefined) => version && files.get(version.id);
  const topics = new Map(all.map((chain) => [chain[0]?.rootId, chain.at(-1)?.topic]));
  const order = all.flat().sort((a, b) => a.seq - b.seq);
  const reasons = await reasonsOf(tx, order);
  for await (const whole of wholeVersions(tx, idsOf(order))) {
    const version = byId.get(whole.decision.id) as Kept;
    const links = whole.from.flatMap(({ toId, relationship: kind }): Placed['links'] => {
      const file = fileOf(byId.get(toId));
      return kind === 'supersedes' || file === undefined || byId.get(toId) === version
        ? []
        : [{ kind, file }];
    });
    const { withdrawal, before } = version;
    const seen = version.basedOn?.split('\n') ?? [];
    const isApart = seen.every((id) => ![undefined, before].includes(byId.get(id)));
    if (before) links.push({ kind: 'supersedes', file: fileOf(before) as string });
    const text = recordOf({
      whole,
      topic: topics.get(version.rootId) ?? undefined,
      isReplaced: version.next !== undefined,
      seen: before && seen,
      isApart,
      links: links.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)),
      withdrawn: withdrawal && {
        id: withdrawal.id,
        at: withdrawal.createdAt,
        reason: '',
        ...reasons.get(withdrawal.id),
      },
      authors,
    });
    yield { path: files.get(version.id) as string, text };
  }
}

/** Why each withdrawn version was withdrawn, and which one it tidies, by the id of the withdrawal. */
async function reasonsOf(tx: Tx, versions: Kept[]) {
  const ids = versions.flatMap(({ withdrawal }) => withdrawal?.id ?? []);
  const reasons = new Map<string, { reason: string; tidies?: string }>();
  for await (const { decision } of wholeVersions(tx, ids)) {
    const { id, reasoning, tidies } = decision;
    reasons.set(id, { reason: reasoning ?? '', ...(tidies !== null && { tidies }) });
  }
  return reasons;
}
