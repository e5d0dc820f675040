import { invalid, PrecedentError } from '../domain/error.ts';
import { readTime } from '../domain/filter/moment.ts';
import { mistyped } from '../domain/filter/near.ts';
import { filterOf } from '../domain/filter/parse.ts';
import { isIdPrefix } from '../domain/id.ts';
import { cut } from '../domain/text/sentence.ts';
import { LIMITS } from '../domain/text/text.ts';
import { here } from '../files/surroundings.ts';
import { askable } from '../git/folder.ts';
import { committedAt } from '../git/questions.ts';
import type { MemoryCore } from '../memory/core.ts';
import type { Result } from '../operations/index.ts';
import { dim, line, warn } from '../operations/view.ts';
import { answerOf, unchanged } from './answering.ts';
import { signed } from './author.ts';
import { catalogue } from './catalogue/catalogue.ts';
import type { CommandSpec, OperationSpec } from './catalogue/spec.ts';
import type { Given } from './command.ts';
import type { Opening } from './edit-record.ts';
import { readFields } from './input/fields.ts';
import { open, using } from './open.ts';
import type { Asking } from './output/asking.ts';
import type { Answer } from './output/print.ts';
import type { PlaceOptions } from './place.ts';

/** Runs the operation of a command on the memory that is meant. @param given the fields that were typed */
export async function runOperation(
  spec: CommandSpec & { operation: OperationSpec },
  asked: Given,
  place: PlaceOptions,
): Promise<Answer> {
  const {
    operation,
    given: own,
    opens,
    places,
    otherwise,
    arguments: words,
    destroys,
    rehearses,
    edit,
  } = spec;
  const { keepSecret, isPhrase, ...said } = asked;
  const how = { keepsSecrets: keepSecret === true };
  const { yes, dryRun, ...fields } = said;
  // Only what destroys says by these how it asks: another operation has a field of that name itself.
  const given = destroys || rehearses ? fields : said;
  refuseMistyped(spec, given);
  if (opens && (await isOpened(opens, given))) {
    const { editRecord } = await import('./edit-record.ts');
    return using(await open(place, { create: 'never' }), (memory) =>
      editRecord(memory, given as unknown as Opening, how),
    );
  }
  const filters = words
    .filter(({ field, joined }) => joined === 'filter' && Array.isArray(given[field]))
    .map(({ field }) => [field, filterOf(given[field] as string[])]);
  const { edit: isWritten, ...typed } = edit ? given : { edit: false, ...given };
  const paths = Array.isArray(typed.files) ? (typed.files as string[]) : [];
  const input = await readFields({
    ...typed,
    ...Object.fromEntries(filters),
    ...(await fromTop(typed, operation.access)),
    ...own,
  });
  await toMoment(input);
  const { access, createsMemory, isPersonal, name } = operation;
  const requireKey = async (memory: MemoryCore) => {
    // In an editor a person sees what is the topic.
    if (isPhrase && !isWritten) await refuseDecision(memory, String(input.topic));
  };
  const withIt = async <Result>(all: Given, work: (memory: MemoryCore) => Promise<Result>) => {
    const tried = async (rehearsal: MemoryCore) => {
      await requireKey(rehearsal);
      await rehearsal.call(name, all, undefined, undefined, how);
    };
    const create = access === 'read' ? 'read' : createsMemory ? 'new' : 'never';
    const writer = isPersonal ? { writer: await signed() } : {};
    return using(await open(place, { create, ...writer, rehearsed: tried }), work);
  };
  return edit && isWritten
    ? written(edit, input, (all) => withIt(all, (memory) => answerOf(memory, name, all, how, place)))
    : withIt(input, async (memory) => {
        await requireKey(memory);
        const asking = { yes: yes === true, dryRun: dryRun === true };
        // Without the field that destroys, it can be brought back: there is nothing to ask, only to show.
        const isAsking = destroys && (input[destroys] === true || asking.dryRun);
        const stays = isAsking && (await askFor(memory, input.ref, asking, input[destroys] === true));
        if (stays) return stays;
        const isAsked = rehearses?.some((field) => isGiven(input[field])) && !yes && input.dry_run !== true;
        const meant = isAsked ? await rehearsed(memory, name, input) : input;
        if (meant === undefined) return unchanged(memory);
        if (access === 'read' && paths.length > 0) {
          const { withFormerNames } = await import('./repository/vanished.ts');
          return answerOf(memory, name, await withFormerNames(memory, meant, place), how, place);
        }
        return answerOf(memory, name, meant, how, place).catch(async (error: unknown) => {
          const [words] = Object.values(given).map(String);
          // Longer than any name is a path, or words.
          const isMissing =
            error instanceof PrecedentError &&
            (error.code === 'not_found' || (otherwise && [...(words ?? '')].length > LIMITS.id));
          if (!isMissing || words === undefined) throw error;
          if (opens && Object.keys(given).sort().join() === 'id,text') {
            const { rewritten } = await import('./edit-record.ts');
            const answer = await rewritten(memory, input, how);
            if (answer) return answer;
          }
          const then = input.as_of === undefined ? {} : { as_of: input.as_of };
          const path = places && (await (await import('./repository/path-asked.ts')).placeAsked(words));
          if (places && path !== undefined) {
            const { committedWith, namesOf } = await import('./repository/vanished.ts');
            const asked = { ...(await namesOf(memory, path, place)), ...then };
            const answer = await answerOf(memory, places, asked);
            if ((answer.report as Result<'mama_files'>).answered) return answer;
            const guess = await answerOf(memory, places, { ...asked, ...(await committedWith(path)) });
            return { ...guess, found: false };
          }
          // What is not there, or not yet, may still be what a decision names (F-2).
          const [, name, folder] = (places && /^((\S+?)\/\S*?)\/*$/.exec(words)) || [];
          if (places && name !== undefined) {
            const answer = await answerOf(memory, places, { files: `${name}\n${name}/` }).catch(
              () => undefined,
            );
            const { results = [] } = (answer?.report ?? {}) as Partial<Result<'mama_files'>>;
            if (answer && results.some(({ by }) => by.startsWith(`${folder}/`))) return answer;
          }
          // So a note is called, and no words are.
          if (!otherwise || /^#\d+$/.test(words)) throw error;
          const found = await answerOf(memory, otherwise.operation, { [otherwise.field]: words, ...then });
          const near = (error instanceof PrecedentError && error.near) || '';
          const said = `No decision is called "${cut(words, 60)}".${near} Searched for the words`;
          // Several words are a question, and what they found its answer; one is a name.
          const isName = !/\s/.test(words);
          const isNowhere = isName && (found.report as { answered?: false }).answered === false;
          if (isNowhere && isIdPrefix(words.toLowerCase())) throw error;
          const view = isName
            ? [line(warn(`${said}:`)), ...found.view]
            : [...found.view, line(dim(`${said}.`))];
          return { ...found, view, ...(isNowhere && { found: false as const }) };
        });
      });
}

/** Of a tag, a branch or a commit of the repository here the time of the past that is asked about is that of its commit (U-5). */
async function toMoment(input: Given): Promise<void> {
  for (const field of ['asOf', 'as_of']) {
    const asked = input[field];
    if (typeof asked !== 'string' || readTime(asked, Date.now())) continue;
    const git = askable(here().cwd());
    input[field] = (git && (await committedAt(git, asked))) ?? asked;
  }
}

/** The fields of files as they were typed, from the top folder of the repository on; what is removed is named as it was written. */
async function fromTop(typed: Given, access: OperationSpec['access']): Promise<Given> {
  const given = ['files', 'addFiles'].filter((field) => Array.isArray(typed[field]));
  if (given.length === 0) return {};
  const { patternsTyped, placesAsked } = await import('./repository/path-asked.ts');
  const read = access === 'read' ? placesAsked : patternsTyped;
  const places = await Promise.all(given.map(async (field) => [field, await read(typed[field] as string[])]));
  return Object.fromEntries(places);
}

/** A word that is nearly a command of the group was meant as one: nothing is looked for by a typing error. */
function refuseMistyped({ isDefault, words: [group], arguments: [first] }: CommandSpec, given: Given): void {
  const [word] = first?.joined ? ((given[first.field] as string[] | undefined) ?? []) : [];
  // A filter and a topic have a colon; no command has.
  if (!isDefault || !word || word.includes(':')) return;
  const members = catalogue.flatMap(({ words }) => (words[0] === group ? words.slice(1) : []));
  // Answers call a note by its kind.
  const near = /^observations?$/i.test(word) ? 'notes' : mistyped(word, members);
  if (near === undefined) return;
  throw invalid.not_one_of(
    `Expected words to look for, or one of ${members.join(', ')}; found "${word}". Did you mean "precedent ${group} ${near}"? To look for the word itself, use --filter.`,
  );
}

/** Several words are a topic where one is called so; else they are most likely the decision, typed first (U-8). */
async function refuseDecision(memory: MemoryCore, topic: string): Promise<void> {
  const isThere = await memory.call('decision_get', { id: topic }).catch((error: unknown) => {
    if (error instanceof PrecedentError && ['not_found', 'invalid'].includes(error.code)) return undefined;
    throw error;
  });
  if (isThere) return;
  const said = cut(topic, 60);
  throw invalid.wrong_name(
    `Expected the topic first, a key such as "code:style", found "${said}", which reads like the decision. As in: precedent decide code:style "${said}" --reasoning "…". If it is the topic: --topic "${said}" --decision "…". Nothing was saved.`,
  );
}

/** Shows the note that would be destroyed or hidden, and asks (K-5). @returns undefined when the person agrees */
async function askFor(
  memory: MemoryCore,
  ref: unknown,
  how: Asking,
  isForGood: boolean,
): Promise<Answer | undefined> {
  const { askFirst } = await import('./output/destroy.ts');
  const { report, view } = await answerOf(memory, 'show', { ref });
  return askFirst(how, { doing: isForGood ? 'remove this' : 'hide this', shown: view, report });
}

/**
 * Shows what would be done, and asks (V-2). Who says yes has seen the locks, too (T-6).
 * @returns what is meant; undefined when the person refuses
 * @throws PrecedentError `invalid` where nobody can be asked, without --yes
 */
async function rehearsed(memory: MemoryCore, name: string, input: Given): Promise<Given | undefined> {
  const { confirmView } = await import('./output/destroy.ts');
  const rehearse = (meant: Given) => answerOf(memory, name, { ...meant, dry_run: true });
  const would = await rehearse(input);
  const { effects, needs } = would.report as unknown as Result<'undo'>;
  const locks = needs?.replaces ?? [];
  const meant = { ...input, replaces: [...((input.replaces as string[] | undefined) ?? []), ...locks] };
  const { view } = locks.length > 0 ? await rehearse(meant) : would;
  const question = `Undo ${effects.length === 1 ? 'this' : `these ${effects.length}`}?`;
  return (await confirmView(question, view)) ? meant : undefined;
}

/** Whether nothing was typed but which record is meant. An agent that forgot the change is told so, and gets no editor. */
async function isOpened(opens: string[], given: Given): Promise<boolean> {
  if (!Object.keys(given).every((field) => opens.includes(field))) return false;
  const { agentAround } = await import('../agents/agents.ts');
  return agentAround(here().env, []) === undefined;
}

/** An argument of several words is a list, which may be empty. */
function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** Lets a person write fields in an editor, beginning with those that were typed, and saves them (U-6). */
async function written(
  fields: NonNullable<CommandSpec['edit']>,
  input: Given,
  save: (input: Given) => Promise<Answer>,
): Promise<Answer> {
  const { edited } = await import('./editor.ts');
  const sections = fields.map(({ field, about }) => ({ field, about, text: String(input[field] ?? '') }));
  const saved = (written: Given) => save({ ...input, ...written });
  return (await edited(['The text to save.'], sections, saved, true)) as Answer;
}
