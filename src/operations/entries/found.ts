import type { Decision } from '../../domain/decision.ts';
import { PLAIN_KINDS } from '../../domain/kinds.ts';
import { STORED } from '../../store/kinds/kinds.ts';
import { shortIds } from '../../store/prefix.ts';
import type { Found } from '../../store/search/everything.ts';
import { matchedWords } from '../../store/search/matched.ts';
import type { Question } from '../../store/search/question.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { hasSeveralAuthors } from '../../store/writer.ts';
import { type DetailOf, detailsOf } from '../results/details.ts';
import { iso } from '../results/fields.ts';
import { firstWords, markOf, type Named } from '../results/names.ts';
import { sinceThen } from '../results/since.ts';
import { shortBy } from '../results/writer.ts';
import { decisionEntry, type Entry, type Look, shortened } from './entry.ts';

/** The decisions among what was found. */
export const decisionsAmong = (found: Found[]): Decision[] =>
  found.flatMap((each) => (each.kind === 'decision' ? [each.decision] : []));

/**
 * Found records as entries; each says how much of the question it answers.
 * @param read details of {@link decisionsAmong} them, where they are read already
 */
export async function foundEntries(
  tx: Tx,
  found: Found[],
  asked: Question,
  look: Look,
  read?: DetailOf | Promise<DetailOf>,
): Promise<Entry[]> {
  const earlier = found.flatMap((each) => (each.kind === 'decision' && each.earlier?.id) || []);
  const seqs = found.map(({ matchedSeq }) => matchedSeq);
  const [details, refs, refOfVersion, namesAuthors, terms] = await together(
    read ?? detailsOf(tx, decisionsAmong(found), asked.text),
    refsOf(tx, found),
    shortIds(tx, 'decisions', earlier),
    hasSeveralAuthors(tx),
    tx.text.termsIn(tx.db, seqs, asked.found),
  );
  const entries = found.map((each): Entry => {
    const because = tx.meaning ? 'close to the question' : 'has words of the question';
    const share = {
      similarity: each.similarity,
      ...(each.nearness !== undefined && { nearness: each.nearness }),
    };
    if (each.kind === 'decision')
      return {
        ...decisionEntry(each.decision, details(each.decision), because, look),
        ...share,
        ...(each.earlier && { earlier: earlierVersion(each.decision, each.earlier, refOfVersion) }),
      };
    const written = each.kind === 'observation' ? each.observation : each;
    const entry = recordEntry(each, because, look.shown);
    return { ...entry, ...share, ref: refs(each), ...shortBy(written, namesAuthors) };
  });
  const matched = await matchedWords(
    tx,
    asked,
    entries.map((each, index) => ({ seq: seqs[index] as number, shown: textOf(each) })),
    terms,
  );
  // Each person's newest is found; what happened since is shown with the first.
  const checkpoint = entries.find(({ kind }) => kind === 'checkpoint');
  const { since } = checkpoint ? await sinceThen(tx, checkpoint.id) : {};
  return entries.map((entry, index) => {
    const each = since && entry === checkpoint ? { ...entry, since } : entry;
    const of = found[index] as Found;
    const words = matched.get(of.matchedSeq);
    return words === undefined ? each : { ...each, matched: `${placeOfMatch(of)}${words}` };
  });
}

function earlierVersion(
  { topic }: Decision,
  { id, text, outcome }: Pick<Decision, 'id' | 'text' | 'outcome'>,
  refOf: (id: string) => string,
): Named {
  const title = topic === null ? {} : { title: topic };
  const words = { ...title, text: firstWords(text), ...markOf({ outcome, isReplaced: true }) };
  return { kind: 'decision', id, ref: refOf(id), ...words };
}

/** Which version matched, where it is not the one that is shown, and that it failed or was replaced (T-3). */
function placeOfMatch(found: Found): string {
  if (found.kind !== 'decision' || found.matchedVersion.version === found.decision.version) return '';
  const { version, outcome } = found.matchedVersion;
  return `v${version}, ${outcome === 'failed' ? 'which failed' : 'replaced'}: `;
}

/** All that an entry shows of its record. */
function textOf({ title, text, why, outcome, outcome_warning, earlier_failure, failed_basis }: Entry) {
  return [title, text, why, outcome, outcome_warning, earlier_failure, ...(failed_basis ?? [])].join('\n');
}

async function refsOf(tx: Tx, found: Found[]): Promise<(each: Found) => string> {
  const short = new Map(
    await together(
      ...PLAIN_KINDS.map(async (kind) => {
        const ids = found.flatMap((each) => (each.kind === kind ? [each.id] : []));
        return [kind, await shortIds(tx, STORED[kind].table, ids)] as const;
      }),
    ),
  );
  return (each) => {
    if (each.kind === 'observation') return `#${each.observation.id}`;
    return each.kind === 'decision' ? each.decision.id : (short.get(each.kind)?.(each.id) ?? each.id);
  };
}

function recordEntry(found: Exclude<Found, { kind: 'decision' }>, because: string, shown: number) {
  const { kind } = found;
  if (kind === 'observation') {
    const { id, title, content, updatedAt } = found.observation;
    const text = shortened(content, shown, 'mem_get_observation has all');
    const newer = found.supersededBy;
    return {
      ...{ kind, id: String(id), because, title, text, when: iso(updatedAt) },
      ...(newer !== undefined && { superseded_by: `#${newer}` }),
    };
  }
  const { id, createdAt } = found;
  const text = shortened(found.text, shown, STORED[kind].plain.whole);
  return { kind, id, because, text, when: iso(createdAt) };
}
