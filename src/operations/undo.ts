import * as z from 'zod';
import { STRENGTHS } from '../domain/decision.ts';
import { invalid, notFound } from '../domain/error.ts';
import type { Filter } from '../domain/filter/filter.ts';
import { filterOf, isPart } from '../domain/filter/parse.ts';
import { cut } from '../domain/text/sentence.ts';
import { LIMITS } from '../domain/text/text.ts';
import { meantBy } from '../store/lists/meant.ts';
import { listTimeline } from '../store/lists/timeline.ts';
import type { Tx } from '../store/tx.ts';
import { MOST_SAVES } from '../store/undo/saves.ts';
import { numberOf, rewritings, type Undoing, undo as undoSave, undoSaves } from '../store/undo/undo.ts';
import { name, text, wholeNumber } from './fields/basic.ts';
import { chosenSave, reasoning, replacesMany } from './fields/decision.ts';
import { LOG_FILTER, toFilter } from './fields/filter.ts';
import { type MeantRecord, requireMeant } from './lists/meant-record.ts';
import { defineOperation } from './operation.ts';
import { iso, resultDate, written } from './results/fields.ts';
import { counted, date, dim, good, indented, line, shortId, strong } from './view.ts';

/** Characters of a text that is undone. */
const LONGEST_TEXT = 200;

export const undo = defineOperation({
  name: 'undo',
  family: 'decisions',
  title: 'Undo the last save',
  summary:
    'Undoes your newest save, and with each further call the one before it, as long as nothing depends on it: a first version is withdrawn, a later one followed by what was said before it, evidence and anchors are hidden, an outcome counts no longer, observations and memos are deleted softly, what was moved or renamed goes back. Saves of another program in your name, such as an agent, are not among them: name these with what or session. Nothing is erased. With redo it brings back what was undone last.',
  access: 'write',
  tool: false,
  positional: ['what'],
  input: z.strictObject({
    what: z
      .array(text(LIMITS.filter, 'A record by its name, or a part of a filter'))
      .max(MOST_SAVES, `to hold at most ${MOST_SAVES} items`)
      .optional()
      .describe('Undo these records, or what passes a filter: auth:token "#38", or via:claude since:1d'),
    session: name(LIMITS.scope, 'Undo what was saved in this session: its id, or a prefix of it').optional(),
    saves: z
      .array(chosenSave)
      .max(MOST_SAVES, `to hold at most ${MOST_SAVES} items`)
      .optional()
      .describe('Undo these saves, as review lists them'),
    last: wholeNumber(1, MOST_SAVES, 'Undo this many of your newest saves').optional(),
    redo: z.boolean().optional().describe('Bring back what was undone last'),
    dry_run: z.boolean().optional().describe('Only say what would be done'),
    reasoning: reasoning()
      .describe('Why; needed for an axis or a lock that was saved more than an hour ago')
      .optional(),
    replaces: replacesMany('undoes'),
  }),
  output: written({
    done: z.boolean().describe('False for a dry run'),
    redo: z.boolean(),
    saves: z.int().describe('How many saves'),
    saved_at: resultDate(),
    effects: z
      .array(
        z.object({
          kind: z.string().describe('Such as decision, evidence, observation, relation, topic'),
          id: z.string().describe('Its name for show; #38 for an observation'),
          name: z.string().optional().describe('Its topic or title'),
          text: z.string(),
          becomes: z.string().describe('What becomes of it, such as withdrawn, hidden, deleted'),
          strength: z.enum(STRENGTHS).optional().describe('Of an axis or a lock'),
        }),
      )
      .describe('What becomes of each part of the saves'),
    needs: z
      .object({
        replaces: z.array(z.string()).describe('The ids of locks'),
        reasoning: z.boolean().describe('Whether a reason is missing'),
      })
      .optional()
      .describe('In a dry run: the fields that the real call must also give'),
  }),
  async run(
    tx,
    { redo = false, dry_run: dryRun = false, last = 1, what = [], session, saves: chosen = [], ...given },
  ) {
    const numbers = chosen.map(({ save }) => save);
    const naming = {
      reasoning: given.reasoning ?? chosen.find((each) => each.reasoning)?.reasoning,
      replaces: [...(given.replaces ?? []), ...chosen.flatMap((each) => each.replaces ?? [])],
    };
    const isChosen = what.length > 0 || session !== undefined || numbers.length > 0;
    if (isChosen && (redo || last > 1))
      throw invalid.both_given(
        `undo: Expected either what is undone, or ${redo ? 'redo' : 'last'}; found both.`,
      );
    const asked = { dryRun, naming };
    const undoing = isChosen
      ? await undoChosen(tx, { what, session, numbers }, asked)
      : await undoSave(tx, { ...asked, redo, last });
    const { savedAt, saves, effects, skippedSaves, needs } = undoing;
    return {
      done: !dryRun,
      redo,
      saves,
      saved_at: iso(savedAt),
      effects: effects.map(({ kind, id, name, text, becomes, strength = 'normal' }) => ({
        kind,
        id,
        ...(name !== '' && { name }),
        text: cut(text, LONGEST_TEXT),
        becomes: cut(becomes, LONGEST_TEXT),
        ...(strength !== 'normal' && { strength }),
      })),
      ...(needs && { needs }),
      ...(skippedSaves !== undefined && { warnings: [skippedSaves] }),
    };
  },
  view({ done, redo, saves, saved_at, effects, needs, workspace }) {
    const what = redo ? 'redone' : 'undone';
    const options = [
      ...(needs?.replaces ?? []).map((id) => `--replaces ${shortId(id)}`),
      ...(needs?.reasoning ? ['--reasoning'] : []),
    ];
    const only = needs ? `, but only with ${options.join(' ')}` : '';
    // Several have no one date.
    const saved = saves === 1 ? [dim(`  ${redo ? 'undone' : 'saved'} `), date(saved_at), dim(' ·')] : [' '];
    const when = [...saved, dim(` workspace ${workspace}`)];
    const many = saves === 1 ? '' : `${counted(saves, 'save')} `;
    const isBack = done && !redo && saves > 1;
    return [
      line(done ? good(`✔ ${many}${what}`) : `${many}would be ${what}${only}`, ...when),
      ...effects.map(({ kind, id, name, text, becomes, strength }) =>
        indented(
          dim(`${strength ?? kind} `),
          ...(name === undefined ? [] : [strong(name), '  ']),
          ...(text === name ? [] : [text, dim(`  ${shortId(id)}`), '  ']),
          dim('→ '),
          becomes,
        ),
      ),
      ...(isBack ? [line(dim(`"precedent undo --redo --last ${saves}" brings them back`))] : []),
      ...(needs ? [line(dim('Without these options it is refused; at a terminal you are asked.'))] : []),
    ];
  },
});

/** Undoes what references name, or what passes a filter (V-2). */
async function undoChosen(
  tx: Tx,
  { what, session, numbers }: { what: string[]; session: string | undefined; numbers: number[] },
  asked: { dryRun: boolean; naming: { replaces?: string[] | undefined; reasoning?: string | undefined } },
): Promise<Undoing> {
  if (session !== undefined || what.some(isPart)) {
    const given = { filter: filterOf(what) || undefined, session };
    const found = await passing(tx, toFilter('undo', given, LOG_FILTER, tx.now));
    return undoSaves(tx, { ...found, numbers }, asked);
  }
  const records: number[] = [];
  for (const reference of what) {
    const meant = await requireMeant(tx, reference);
    records.push(...(await numberOf(tx, meant.kind, idOf(meant))));
  }
  // What is named by its id is named as a lock, too (T-6).
  const naming = { ...asked.naming, replaces: [...what, ...(asked.naming.replaces ?? [])] };
  return undoSaves(tx, { records, changes: [], numbers }, { ...asked, naming });
}

function idOf(meant: MeantRecord): string | number {
  if (meant.kind === 'decision') return meant.decision.id;
  if (meant.kind === 'evidence') return meant.evidence.id;
  return meant.kind === 'anchor' ? meant.anchor.id : meant.id;
}

/** The records and changes that a filter lets through. @throws PrecedentError `invalid` when there are too many for one call */
async function passing(tx: Tx, filter: Filter): Promise<{ records: number[]; changes: number[] }> {
  const { happened, next } = await listTimeline(tx, await meantBy(tx, filter), MOST_SAVES);
  if (next !== undefined)
    throw invalid.too_many(
      `undo: Expected a filter with at most ${MOST_SAVES} records and changes, found more. Narrow it, by since: for instance.`,
    );
  if (happened.length === 0)
    throw notFound.nothing_to_do(
      'undo: Expected something that passes the filter, found nothing. Nothing was changed.',
    );
  const of = (source: string) => happened.filter((each) => each.source === source);
  const changes = of('change').map(({ number }) => number);
  return {
    records: happened.flatMap(({ source, number }) =>
      source === 'change' || source === 'revision' ? [] : [number],
    ),
    changes: [...changes, ...(await rewritings(tx, of('revision')))],
  };
}
