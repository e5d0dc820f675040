import * as z from 'zod';
import { FIELD_NAMES } from '../../domain/decision.ts';
import { invalid, notFound } from '../../domain/error.ts';
import { patternsIn, problemOfPlaces } from '../../domain/place.ts';
import { reviseDecision } from '../../store/decisions/chain.ts';
import { requireDecision } from '../../store/decisions/reference.ts';
import type { Tx } from '../../store/tx.ts';
import { defineDocument } from '../documents.ts';
import { forPeople, savedDate } from '../fields/basic.ts';
import { content, decisionId, evidence, hints, places, replaces } from '../fields/decision.ts';
import { buildsOn, LINKS, links, withLinks } from '../fields/links.ts';
import {
  comparedDecision,
  toWrittenDecision,
  viewWrittenDecision,
  writtenDecision,
} from '../results/written-decision.ts';

const OTHER_CHANGES = ['addFiles', 'removeFiles', 'evidence', 'hints', 'withdrawn'] as const;
const CHANGES = [...FIELD_NAMES, 'buildsOn', ...LINKS, ...OTHER_CHANGES] as const;
/** What no tidying changes. */
const DECIDED = ['strength', 'confidence', 'withdrawn'] as const;
const { text, strength, scope, confidence, reasoning, ...others } = content(false, true);

const input = z.strictObject({
  id: decisionId().describe('Id of the active version, or its topic'),
  // The name that the first save of it takes.
  text: text.describe('What is decided now').meta({ also: 'decision' }).optional(),
  strength: strength.describe('As in a save'),
  scope: scope.describe('Where it holds now'),
  confidence: confidence.describe('How sure now').meta({ model: false }),
  reasoning: reasoning.describe('Why; may link as a save does'),
  ...others,
  addFiles: forPeople(
    places('Files or patterns to add to those that it binds, as in .gitignore').meta({ option: 'add-file' }),
  ),
  removeFiles: forPeople(
    places(
      'Files or patterns to remove from those that it binds, spelled as they are there',
      (written) => written,
    ).meta({ option: 'remove-file' }),
  ),
  evidence: forPeople(evidence()),
  hints: forPeople(hints()),
  buildsOn: buildsOn(),
  ...links(),
  replaces: replaces(),
  date: savedDate(),
  withdrawn: z.boolean().optional().describe('It no longer holds; nothing replaces it'),
  tidy: forPeople(
    z.boolean().optional().describe('It says the same in other words: author, date, reason and outcome stay'),
  ),
});

export const decisionRevise = defineDocument({
  name: 'decision_revise',
  family: 'decisions',
  title: 'Revise or withdraw a decision',
  summary:
    'Change a past decision: as mama_save on its topic, keeping what you leave out. With withdrawn: true and the reasoning, end it without a replacement.',
  access: 'write',
  positional: ['id'],
  input,
  output: writtenDecision,
  run,
  runInBatch: (tx, input) => run(tx, input, true),
  afterCommit: comparedDecision,
  view: viewWrittenDecision,
});

async function run(tx: Tx, given: z.output<typeof input>, isBatch = false) {
  const {
    id,
    evidence = [],
    hints,
    replaces,
    tidy: isTidy,
    addFiles,
    removeFiles,
    buildsOn,
    ...rest
  } = given;
  if (CHANGES.every((change) => given[change] === undefined))
    throw invalid.missing(`decision_revise: Expected at least one of ${CHANGES.join(', ')}, found none.`);
  const isLinked = [buildsOn, ...LINKS.map((link) => given[link])].some((each) => each && each.length > 0);
  // Links are lines of a reasoning: without a new one they are added to the one that is kept.
  const kept = isLinked ? ((await requireDecision(tx, id)).reasoning ?? undefined) : undefined;
  const changes = withLinks({ ...rest, reasoning: rest.reasoning ?? kept }, buildsOn);
  if (changes.withdrawn && given.reasoning === undefined)
    throw invalid.missing(
      'decision_revise: Expected "reasoning", which says why the decision is withdrawn; it is missing.',
    );
  if (changes.withdrawn && changes.text !== undefined)
    throw invalid.both_given(
      'decision_revise: Expected either "text" or "withdrawn": true, found both. A withdrawn decision keeps its text.',
    );
  const decided = isTidy && DECIDED.find((change) => given[change] !== undefined);
  if (decided)
    throw invalid.both_given(
      `decision_revise: Expected either "tidy" or "${decided}", found both: a correction of wording decides nothing.`,
    );
  if (addFiles !== undefined || removeFiles !== undefined) {
    if (changes.files !== undefined)
      throw invalid.both_given(
        'decision_revise: Expected either "files" or what to add and remove, found both.',
      );
    changes.files = await placesLeft(tx, id, addFiles, removeFiles);
  }
  const isReasoned = given.reasoning !== undefined;
  const written = await reviseDecision(tx, id, changes, evidence, { replaces, isBatch, isTidy, isReasoned });
  return toWrittenDecision(tx, written, { scope: changes.scope, hints, isBatch });
}

/** The files that a decision binds after some are added to them and others taken away (F-1). */
async function placesLeft(tx: Tx, reference: string, add = '', remove = ''): Promise<string> {
  const { files, topic } = await requireDecision(tx, reference);
  const had = patternsIn(files);
  const gone = patternsIn(remove);
  const unknown = gone.find((each) => !had.includes(each));
  if (unknown !== undefined)
    throw notFound.no_pattern(
      `Expected one of the patterns of ${topic ?? reference} (${had.join(', ') || 'it has none'}), found "${unknown}".`,
    );
  const left = [...new Set([...had.filter((each) => !gone.includes(each)), ...patternsIn(add)])].join('\n');
  const problem = problemOfPlaces(left);
  if (problem !== undefined) throw invalid.wrong_path(`Expected the files ${problem}.`);
  return left;
}
