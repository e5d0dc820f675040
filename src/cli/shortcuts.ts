/** Words that people type for an operation: another name, never another behaviour. */
export interface Shortcut {
  /** What is typed, such as `log`, or `list topics`. */
  word: string;
  /** The name of the operation that it stands for. */
  of: string;
  /** One line in a list of commands. */
  title: string;
  /** What its own help says first. */
  about: string;
  /** Set where the group alone means it: `list` is `list decisions`. */
  isDefault?: true;
}

const FILTERED =
  'Narrow it with words and with scope:auth topic:auth:token by:kim since:2w until:2026-10-01 outcome:failed is:debated, or with the options below.';

/** Each is a line here (U-3, U-4); the operations have their own commands too. */
export const SHORTCUTS: readonly Shortcut[] = [
  {
    word: 'log',
    of: 'timeline',
    title: 'What happened, the newest first',
    about: `What was decided, what became of it, what was noted and changed, the newest first. ✓ worked, ✗ failed. ${FILTERED} Of kinds there are kind:decision, outcome, evidence, anchor, checkpoint, observation, memo, change, redaction.`,
  },
  {
    word: 'list decisions',
    of: 'decision_list',
    title: 'The decisions that stand',
    about: `The decisions that stand, the newest first. ✓ worked, ✗ failed. ${FILTERED}`,
    isDefault: true,
  },
  {
    word: 'list observations',
    of: 'mem_list',
    title: 'The observations',
    about:
      'The observations, those saved last first. Narrow them with words and with project:app type:bugfix topic:clock by:kim since:2w, or with the options below.',
  },
  {
    word: 'list memos',
    of: 'memo_list',
    title: 'The memos and their keywords',
    about: 'The memos, the newest first, or those about one keyword.',
  },
  ...['list topics', 'topics'].map((word) => ({
    word,
    of: 'topic_list',
    title: 'The topics, by name',
    about: 'The topics by name, each with what it leads to; those that begin with a text, such as auth:.',
  })),
  ...['list scopes', 'scopes'].map((word) => ({
    word,
    of: 'scope_list',
    title: 'The scopes, with what stands in each',
    about: 'The scopes in which decisions stand, with how many of each strength.',
  })),
  ...['list authors', 'authors'].map((word) => ({
    word,
    of: 'author_list',
    title: 'Who wrote in this memory',
    about: 'Who wrote in this memory, with how many records.',
  })),
];
