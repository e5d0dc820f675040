import { FIELD_NAMES } from '../../domain/decision.ts';
import { REFERENCES } from '../../domain/edge.ts';
import { LISTED_KINDS } from '../../domain/filter/filter.ts';
import { camelName } from '../../operations/cases.ts';
import type { CommandSpec } from './spec.ts';

/** A command in a person's words for an operation (V-7): another name and fewer fields, never another behaviour.
 * Its title and what it does are the operation's, unless models need other words than people. */
export interface PlainCommand
  extends Partial<Pick<CommandSpec, 'title' | 'about'>>,
    Pick<
      CommandSpec,
      'examples' | 'instead' | 'opens' | 'given' | 'key' | 'places' | 'otherwise' | 'isDefault' | 'rehearses'
    > {
  /** The name of its operation, where the command has another. */
  of?: string;
  /** The fields that are typed without a name, in this order, where they are not those of the operation. */
  takes?: string[];
  /** Fields of the operation that another command is for. */
  leaves?: string[];
  /** The last argument that may be several words without quotes. */
  joined?: string;
  /** Fields that can be written in an editor with `--edit`, in this order (U-6). */
  edit?: string[];
  ways?: PlainWay[];
}

/** The other things that a command does: with another operation, or other fields. */
export interface PlainWay extends Pick<PlainCommand, 'of' | 'given' | 'takes' | 'leaves'> {
  /** The switch that means it, and what help says of it. */
  when?: { name: string; about: string };
  /** Its fields that mean it, by the options for them. */
  by?: Record<string, string>;
}

const FILTERED =
  'Narrow it with words and with scope:auth topic:auth:token by:kim via:claude since:2w until:2026-10-01 outcome:failed is:debated, or with the options below.';

/**
 * The commands for people by what is typed, in the order in which help shows them. An operation without one is for
 * programs: it is called as `precedent tool NAME`, as every operation can be.
 */
export const PLAIN: Readonly<Record<string, PlainCommand>> = {
  decide: {
    of: 'mama_save',
    title: 'Record a decision, with its reason',
    about:
      'Records what was decided on a topic, and why. A decision on the same topic replaces the one before, which stays in the history.',
    examples: [
      'decide db:engine "One file per project" --reasoning "Nothing to install"',
      'decide ui:grid "Eight pixels" --evidence "Measured on three screens" --strength lock',
    ],
    given: { type: 'decision' },
    key: 'topic',
    edit: ['topic', 'decision', 'reasoning'],
  },
  why: {
    of: 'show',
    instead: ['decision_get', 'mama_files'],
    title: 'Show one decision: its reason, history and outcome',
    about:
      'Shows the decision on a topic with its reason, every version, its outcomes and what builds on it. For a file or folder of the repository, it shows the decisions that name it; for other words, what a search finds.',
    examples: ['why db:engine', 'why login token'],
    joined: 'ref',
    places: 'mama_files',
    otherwise: { operation: 'mama_search', field: 'query' },
  },
  worked: {
    of: 'mama_update',
    title: 'Record that a decision worked',
    about: 'Records that a decision worked, and how you know. Every outcome is kept; the newest counts.',
    examples: [
      'worked auth:token "No login was lost in May"',
      'worked ui:grid --partly "Tables need four pixels"',
    ],
    given: { outcome: 'success' },
    ways: [
      {
        when: { name: 'partly', about: 'it worked only in part; the reason says what did not' },
        given: { outcome: 'partial' },
      },
    ],
  },
  failed: {
    of: 'mama_update',
    title: 'Record that a decision failed, and how',
    about: 'Records that a decision failed. From now on everyone who finds it is warned, with your reason.',
    examples: ['failed auth:token "A script could read it"'],
    given: { outcome: 'failed' },
  },
  revise: {
    of: 'decision_revise',
    title: 'Change a decision in a new version, or any text in your editor',
    about:
      'Makes the next version of a decision, or gives a note or a memo another text. Fields that you leave out are carried over. Without a change it opens the text of a decision, a note or a memo in your editor (VISUAL, EDITOR), and saves what you write there; what was there before is kept. --file names anew which files it binds, --add-file and --remove-file change that list: patterns as in .gitignore, from the top folder of the repository. "precedent why FILE" shows the decision, and so do the hooks of an agent that changes such a file.',
    examples: [
      'revise db:engine "One file per repository" --reasoning "Clones share it"',
      "revise '#1' 'Ports of the API: 4100'",
      'revise auth:token',
      "revise db:engine --add-file 'src/store/**' --add-file package.json",
    ],
    takes: ['id', 'text'],
    opens: ['id', 'replaces', 'tidy'],
    leaves: ['withdrawn'],
  },
  withdraw: {
    of: 'decision_revise',
    title: 'End a decision without a replacement',
    about: 'Ends a decision that no longer holds and that nothing replaces. Its history stays.',
    examples: ['withdraw db:engine "We moved to a server"'],
    given: { withdrawn: true },
    takes: ['id', 'reasoning'],
    leaves: [
      ...FIELD_NAMES.filter((name) => name !== 'reasoning'),
      ...['evidence', 'hints', 'addFiles', 'removeFiles', 'quoted'],
      ...REFERENCES.map(camelName),
    ],
  },
  evidence: {
    of: 'evidence_save',
    title: 'Add evidence to a decision',
    about:
      'Adds evidence to a decision, word for word: a quote, a measurement, a log, or a copy of a note. A single - reads it from standard input.',
    examples: ['evidence auth:token "The review of May, page 3"', 'evidence auth:token --observation-id 1'],
  },
  anchor: {
    of: 'anchor_save',
    title: 'Add an anchor to a decision: a reminder, not a rule',
    about: 'Adds an anchor to a decision or its evidence: a short reminder that stays. It is no rule.',
    examples: ['anchor auth:token "Ask Kim before changing this" --type decision_link'],
  },
  rules: {
    of: 'decision_retrieve',
    title: 'The decisions that bind a scope',
    about:
      'Lists the decisions that bind a scope: those that hold everywhere first, then the axes, locks and other decisions of the scope, with their anchors. Without a scope, every axis and lock.',
    examples: ['rules auth', 'rules', 'rules --files'],
    ways: [
      {
        of: 'mama_files',
        when: { name: 'files', about: 'list the decisions that bind files instead, with their patterns' },
        takes: [],
        leaves: ['files', 'formerly', 'marked', 'together', 'changed'],
      },
    ],
  },
  note: {
    of: 'mem_save',
    title: 'Keep what you learned, with a title (a memo is a line with keywords)',
    about:
      'Keeps a note: knowledge that is not a decision, such as a bug and its cause, with a title. A memo is a short line that is found by its keywords.',
    examples: [
      'note "Clock skew" "Tokens fail when a host is two minutes off" --type bugfix',
      'note "Build log" - < notes.txt',
    ],
    edit: ['title', 'content'],
  },
  relate: {
    of: 'mem_relate',
    title: 'Relate two notes',
    about: 'Links one note to another, read as a sentence: 1 caused_by 2. A relation may be any word.',
    examples: ['relate 1 fixed_by 2 --note "Since June"'],
  },
  memo: {
    of: 'memo_save',
    title: 'Keep a line with keywords (a note has a title)',
    about:
      'Keeps a memo: a short line that is found by its keywords, and by keywords that were used together with them. A note has a title, a type and relations.',
    examples: [
      'memo "Mirror starts with one NetworkManager" --keywords mirror --keywords unity',
      'memo --more',
    ],
    edit: ['fullText'],
    ways: [
      {
        of: 'memo_expand',
        when: {
          name: 'more',
          about:
            'find more around your newest memo, or the one with this id, one step further through its keywords',
        },
      },
    ],
  },
  checkpoint: {
    of: 'mama_save',
    title: 'Save where your work is; without a text, show it',
    about:
      'Saves what was done, what comes next and which files are open. Without a text it shows the newest checkpoint, and with --id another one.',
    examples: ['checkpoint "Login works" --next-steps "Refresh tokens"', 'checkpoint'],
    given: { type: 'checkpoint' },
    takes: ['summary'],
    edit: ['summary', 'next_steps'],
    ways: [{ of: 'mama_load_checkpoint', takes: [] }],
  },
  recall: {
    title: 'What matters for a task: rules, decisions, notes',
    about:
      'Shows what binds a task and what the memory knows about it, the most important first, within a budget of tokens. For an agent, or for you before you begin.',
    examples: [
      'recall "store the login token"',
      'recall "payment refunds" --scope billing --token-budget 800',
    ],
    joined: 'task',
  },
  search: {
    instead: ['mama_search', 'mem_search'],
    title: 'Search decisions, notes and checkpoints',
    about:
      'Searches every kind of record at once. The best answer comes first. Narrow it with scope:auth topic:auth:token by:kim via:claude since:2w outcome:failed kind:memo among the words, or with the options below. Put any other word with a colon in quotation marks.',
    examples: ['search login token', 'search "클럭 차이" --limit 5', 'search cookies scope:auth since:3m'],
  },
  show: {
    instead: ['mem_get_observation', 'mem_relations'],
    examples: [
      'show auth:token',
      'show "#1" --related',
      'show ui:grid --history',
      'show ui:grid@1 --diff --other ui:grid@2',
    ],
    ways: [
      {
        of: 'history',
        when: { name: 'history', about: 'each version with its reason and outcomes, or each text of a note' },
        leaves: ['diff', 'other'],
      },
      {
        of: 'history',
        when: { name: 'diff', about: 'what differs word by word from the version before, or from --other' },
        given: { diff: true },
        by: { other: 'other' },
        takes: ['ref'],
        leaves: ['limit', 'cursor'],
      },
      {
        of: 'mem_build_context',
        when: { name: 'related', about: 'the notes around a note, as a tree over its relations' },
      },
    ],
  },
  'list decisions': {
    of: 'decision_list',
    title: 'The active decisions',
    about: `The active decisions, newest first. ✓ worked, ✗ failed. ${FILTERED}`,
    examples: ['list', 'list scope:auth cookies', 'list --stale 90d --no-evidence --reverse'],
    isDefault: true,
  },
  'list notes': {
    of: 'mem_list',
    title: 'The notes',
    about:
      'The notes, last saved first. Narrow them with words and with project:app type:bugfix topic:clock by:kim since:2w, or with the options below.',
    examples: ['list notes', 'list notes type:bugfix clock'],
  },
  'list memos': {
    of: 'memo_list',
    title: 'The memos and their keywords',
    about: 'The memos, newest first, or only those with one keyword.',
    examples: ['list memos', 'list memos mirror'],
  },
  'list topics': {
    of: 'list_names',
    title: 'The topics, by name',
    about: 'The topics by name, each with its decision, or only those that begin with a text, such as auth:.',
    given: { kind: 'topics' },
    examples: ['list topics', 'list topics auth:'],
  },
  'list scopes': {
    of: 'list_names',
    title: 'Scopes with their active decisions',
    about: 'The scopes that have active decisions, with the number of each strength.',
    given: { kind: 'scopes' },
    examples: ['list scopes'],
  },
  'list authors': {
    of: 'list_names',
    title: 'The authors of this memory',
    about: 'The authors of this memory, with the number of their records, and the programs that they used.',
    given: { kind: 'authors' },
    examples: ['list authors'],
  },
  log: {
    of: 'timeline',
    title: 'Everything that happened, newest first',
    about: `Decisions, their outcomes, notes, memos and changes, newest first. ✓ worked, ✗ failed. ${FILTERED} The kinds are kind:${LISTED_KINDS.join(', ')}.`,
    examples: ['log', 'log via:agent since:1d', 'log --kind outcome scope:auth by:kim'],
  },
  rename: {
    examples: [
      'rename ui:grid design:grid',
      'rename auth:tokens auth:token --join',
      'rename ui frontend --kind scope --join',
    ],
  },
  settle: {
    of: 'decision_settle',
    title: 'Settle what two machines decided differently',
    about:
      'Settles a decision that "precedent sync" reports as decided twice. On a terminal it shows both sides and asks. --keep chooses one side, --text replaces both.',
    examples: [
      'settle auth:token',
      'settle auth:token --keep 3f2a9c11',
      'settle auth:token --text "Tokens live an hour."',
    ],
  },
  undo: {
    title: 'Undo your last save',
    about:
      'Undoes your newest save, and with each further call the one before it, as long as nothing depends on it. To undo what an agent saved in your name, name the record, its --session ("precedent list sessions"), or a filter such as via:claude since:1d; you are asked once. Nothing is erased: what was undone is hidden, and --redo brings it back. --dry-run only shows what would be done.',
    rehearses: ['what', 'session'],
    examples: ['undo', 'undo auth:token --yes', 'undo --redo'],
  },
  delete: {
    about:
      'Hides a note or a memo from lists and searches; the relations of a note stay. "precedent undelete" brings it back. With --hard-delete a note is removed for good, with its relations.',
    examples: ['delete "#2"', 'delete 5d0c1f7e', 'delete 2 --hard-delete --yes'],
  },
  undelete: {
    examples: ['undelete "#2"', 'undelete 5d0c1f7e'],
  },
  unrelate: {
    of: 'mem_unrelate',
    title: 'Remove a relation between two notes',
    about: 'Removes one relation for good, by the id that "precedent show REF --related" shows.',
    examples: ['unrelate 1'],
  },
};
