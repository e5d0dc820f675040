import type { CommandSpec } from './spec.ts';

/** A short word that people type for an operation: another name, never another behaviour. */
interface Alias {
  /** What is typed, such as `log`, or `list topics`. */
  word: string;
  /** The name of the operation that it stands for. */
  of: string;
  title: string;
  about: string;
  examples: string[];
  /** Fields that the word gives by itself: they are no longer asked for. */
  given?: Record<string, unknown>;
  /** Set where the word takes a name or words: what is asked with them when nothing has that name. */
  otherwise?: { operation: string; field: string };
  /** Set where the group alone means it: `list` is `list decisions`. */
  isDefault?: true;
}

const FILTERED =
  'Narrow it with words and with scope:auth topic:auth:token by:kim since:2w until:2026-10-01 outcome:failed is:debated, or with the options below.';

/** Every short word (U-8), in the order in which help shows them. Another one is a line here. */
const ALIASES: readonly Alias[] = [
  {
    word: 'decide',
    of: 'mama_save',
    title: 'Record a decision, with its reason',
    about:
      'Records what was decided on a topic, and why. A decision on the same topic replaces the one before, which stays in the history.',
    examples: [
      'decide db:engine "One file per project" --reasoning "Nothing to install"',
      'decide ui:grid "Eight pixels" --evidence "Measured on three screens" --strength lock',
    ],
  },
  {
    word: 'save',
    of: 'mama_save',
    title: 'Save a decision, or where work stands',
    about:
      'The same as "precedent decide". With --type checkpoint it saves where work stands: --summary, --next-steps, --open-files. What is no decision is kept with "precedent note".',
    examples: [
      'save db:engine "One file per project" --reasoning "Nothing to install"',
      'save --type checkpoint --summary "Login works" --next-steps "Refresh tokens"',
    ],
  },
  {
    word: 'why',
    of: 'decision_get',
    title: 'Show one decision: its reason, history and outcome',
    about:
      'Shows the decision on a topic with its reason, every version, its outcomes and what builds on it. Words that name no decision are searched for.',
    examples: ['why db:engine', 'why login token'],
    otherwise: { operation: 'mama_search', field: 'query' },
  },
  {
    word: 'failed',
    of: 'mama_update',
    title: 'Record that a decision failed, and how',
    about: 'Records that a decision failed. Whoever finds it from now on is warned, with your reason.',
    examples: ['failed auth:token "A script could read it"'],
    given: { outcome: 'failed' },
  },
  {
    word: 'note',
    of: 'mem_save',
    title: 'Keep something you learned',
    about: 'Keeps an observation: knowledge that is no decision, such as a bug and its cause.',
    examples: ['note "Clock skew" "Tokens fail when a host is two minutes off" --type bugfix'],
  },
  {
    word: 'rename',
    of: 'topic_rename',
    title: 'Rename a topic',
    about:
      'Calls a decision by another topic. The old name goes on leading to it, and the log says what it was.',
    examples: ['rename ui:grid design:grid'],
  },
  {
    word: 'log',
    of: 'timeline',
    title: 'What happened, the newest first',
    about: `What was decided, what became of it, what was noted and changed, the newest first. ✓ worked, ✗ failed. ${FILTERED} Of kinds there are kind:decision, outcome, evidence, anchor, checkpoint, observation, memo, change, redaction.`,
    examples: ['log', 'log since:2w by:kim -n 20', 'log --kind outcome scope:auth'],
  },
  {
    word: 'list decisions',
    of: 'decision_list',
    title: 'The decisions that stand',
    about: `The decisions that stand, the newest first. ✓ worked, ✗ failed. ${FILTERED}`,
    examples: ['list', 'list scope:auth cookies', 'list --stale 90d --no-evidence'],
    isDefault: true,
  },
  {
    word: 'list observations',
    of: 'mem_list',
    title: 'The observations',
    about:
      'The observations, those saved last first. Narrow them with words and with project:app type:bugfix topic:clock by:kim since:2w, or with the options below.',
    examples: ['list observations', 'list observations type:bugfix clock'],
  },
  {
    word: 'list memos',
    of: 'memo_list',
    title: 'The memos and their keywords',
    about: 'The memos, the newest first, or those about one keyword.',
    examples: ['list memos', 'list memos mirror'],
  },
  ...['list topics', 'topics'].map((word) => ({
    word,
    of: 'topic_list',
    title: 'The topics, by name',
    about: 'The topics by name, each with what it leads to; those that begin with a text, such as auth:.',
    examples: [word, `${word} auth:`],
  })),
  ...['list scopes', 'scopes'].map((word) => ({
    word,
    of: 'scope_list',
    title: 'The scopes, with what stands in each',
    about: 'The scopes in which decisions stand, with how many of each strength.',
    examples: [word],
  })),
  ...['list authors', 'authors'].map((word) => ({
    word,
    of: 'author_list',
    title: 'Who wrote in this memory',
    about: 'Who wrote in this memory, with how many records.',
    examples: [word],
  })),
];

/** The short words as commands, each made from the command that it stands for. */
export function aliasesOf(commands: readonly CommandSpec[]): CommandSpec[] {
  return ALIASES.map(({ word, of, given = {}, otherwise, ...words }): CommandSpec => {
    const command = commands.find(({ operation }) => operation?.name === of);
    if (!command) throw new Error(`The alias "${word}" names "${of}", which is no operation.`);
    const isAsked = ({ field }: { field: string }) => !(field in given);
    return {
      ...command,
      ...words,
      words: word.split(' '),
      ...(words.isDefault && { group: groupOf(word) }),
      aliasOf: command.words,
      given,
      arguments: command.arguments.filter(isAsked).map((each, index, all) => ({
        ...each,
        ...(otherwise && index === all.length - 1 && { joined: 'words' }),
      })),
      options: command.options.filter(isAsked),
      ...(otherwise && { otherwise }),
    };
  });
}

/** The first word of a short one, and what else may follow it. */
function groupOf(word: string): { word: string; members: string[] } {
  const [first = ''] = word.split(' ');
  const members = ALIASES.map((each) => each.word.split(' ')).filter(([group]) => group === first);
  return { word: first, members: members.flatMap(([, member]) => member ?? []) };
}
