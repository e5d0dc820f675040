import { PLAIN_KINDS } from '../../../domain/kinds.ts';
import { type ListedRecord, listedRecords, type OtherKind } from '../../../store/export/records.ts';
import { listedVersions } from '../../../store/export/versions.ts';
import type { Tx } from '../../../store/tx.ts';
import { chainsOf, type Kept } from '../chains.ts';
import type { ExportTerms } from '../exporter.ts';
import { Names, slugOf, titleOf } from '../names.ts';
import { day, type NoteRef, oneLine } from './note.ts';

/** A record that is not a decision, and its note. */
export type Placed = ListedRecord & { ref: NoteRef };

/** Where every note of an export is, so that any can link any. */
export interface Places {
  chains: { versions: Kept[]; ref: NoteRef }[];
  others: Record<OtherKind, Placed[]>;
  /** Of a chain, by the id of any of its versions. */
  ofDecision: Map<string, NoteRef>;
  /** By the number of an observation. */
  ofObservation: Map<number, NoteRef>;
}

const LONGEST_TITLE = 80;

/** Gives every chain and every other record its file: called after its topic or title, the first of a name before later ones. */
export async function placesOf(tx: Tx, { chosen }: Pick<ExportTerms, 'chosen'>): Promise<Places> {
  const { all, byId } = chainsOf(await listedVersions(tx, chosen));
  const names = new Names();
  const chains = all.map((versions) => {
    const last = versions.at(-1) as Kept;
    const title = last.topic === null ? titleOf(last.beginning, LONGEST_TITLE) : oneLine(last.topic);
    return { versions, ref: { path: names.take(`decisions/${slugOf(title) || 'decision'}`), title } };
  });
  const refs = new Map(chains.map(({ versions, ref }) => [versions[0]?.rootId, ref]));
  const placed = async (kind: OtherKind, dated: boolean) => {
    const records = await listedRecords(tx, kind, chosen);
    return records.map((each) => {
      const title = titleOf(each.title, LONGEST_TITLE);
      const slug = [dated ? day(each.createdAt) : '', slugOf(title)].filter(Boolean).join('-');
      return { ...each, ref: { path: names.take(`${kind}s/${slug || kind}`), title } };
    });
  };
  const others = { observation: await placed('observation', false) } as Places['others'];
  for (const kind of PLAIN_KINDS) others[kind] = await placed(kind, true);
  return {
    chains,
    others,
    ofDecision: new Map([...byId].map(([id, { rootId }]) => [id, refs.get(rootId) as NoteRef])),
    ofObservation: new Map(others.observation.map(({ id, ref }) => [Number(id), ref])),
  };
}
