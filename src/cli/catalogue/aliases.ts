import type { CommandSpec } from './spec.ts';

/** A short word that people type for an operation: another name, never another behaviour. */
interface Alias {
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
}

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
];

/** The short words as commands, each made from the command that it stands for. */
export function aliasesOf(commands: readonly CommandSpec[]): CommandSpec[] {
  return ALIASES.map(({ word, of, given = {}, otherwise, ...words }) => {
    const command = commands.find(({ operation }) => operation?.name === of);
    if (!command) throw new Error(`The alias "${word}" names "${of}", which is no operation.`);
    const isAsked = ({ field }: { field: string }) => !(field in given);
    return {
      ...command,
      ...words,
      words: [word],
      aliasOf: command.words,
      given,
      arguments: command.arguments.filter(isAsked).map((each, index, all) => ({
        ...each,
        ...(otherwise && index === all.length - 1 && { joined: true }),
      })),
      options: command.options.filter(isAsked),
      ...(otherwise && { otherwise }),
    };
  });
}
