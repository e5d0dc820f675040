import { invalid, notFound } from '../../../domain/error.ts';
import { iso } from '../../../domain/text/moment.ts';
import { compareText } from '../../../domain/text/text.ts';
import { dataFolderHere } from '../../../files/data-folder.ts';
import type { MemoryCore } from '../../../memory/core.ts';
import type { Result } from '../../../operations/index.ts';
import { viewOf } from '../../../operations/load.ts';
import { counted, date, dim, indented, line, strong, type View } from '../../../operations/view.ts';
import { type HookSession, hookSessions, sessionHash, type Told } from '../../agents/hook-sessions.ts';
import { open, using } from '../../open.ts';
import type { Answer } from '../../output/print.ts';
import { defineCommand } from '../../own-command.ts';

export const sessions = defineCommand({
  name: 'list sessions',
  summary: 'The sessions of agents: what they were shown, and what they saved',
  about:
    'Lists the sessions of agents, the newest first: what hooks showed, how many prompts there were, and how much the agent saved. "precedent list session:ID", with an id or a prefix of one, shows the records of each event, word for word, and which of them the agent then went against, as far as names and hints can tell. Hooks remember a session for a week, on this machine. Lookups by an agent itself are not recorded. The hooks and the MCP server of one conversation count as two sessions.',
  examples: ['list sessions', 'list sessions --json'],
  arguments: { session: { about: 'its id, or a prefix of it' } },
  async run({ session }, place): Promise<Answer> {
    return using(await open(place, { create: 'read' }), async (memory) => {
      const all = await allSessions(memory);
      if (session !== undefined) return oneSession(memory, all, session);
      return {
        report: { sessions: all, workspace: memory.workspace },
        view: [
          ...(all.length > 0 ? all.map(viewSession) : [line('No sessions of agents yet.')]),
          line(dim(`workspace ${memory.workspace}`)),
        ],
      };
    });
  },
});

/** A session, with what hooks showed it, where they did. */
type Session = Pick<Result<'list_names'>['names'][number], 'author' | 'via' | 'last'> & {
  session: string;
  saves: number;
  undone: number;
  shown: string[];
  prompts: number;
  /** What was told at each event, the newest last. */
  told: Pick<Told, 'at' | 'event' | 'ids' | 'broken'>[];
};

async function allSessions(memory: MemoryCore): Promise<Session[]> {
  const sessions = (await memory.call('list_names', {
    kind: 'sessions',
    limit: 1_000,
  })) as Result<'list_names'>;
  const folder = dataFolderHere();
  const hooks = new Map((folder === undefined ? [] : hookSessions(folder)).map((each) => [each.hash, each]));
  const known = sessions.names.flatMap(({ name, count, undone = 0, author, via, last }): Session[] => {
    const saved = { session: name, saves: count, undone, author, via, last };
    const hash = sessionHash(saved.session);
    const hook = hooks.get(hash);
    hooks.delete(hash);
    if (!hook) return saved.saves === 0 ? [] : [{ ...saved, shown: [], prompts: 0, told: [] }];
    return [{ ...saved, ...shownTo(hook), last: saved.last ?? new Date(hook.at).toISOString() }];
  });
  const others: Session[] = [];
  for (const hook of hooks.values())
    if (await isOfMemory(memory, hook))
      others.push({
        session: hook.hash,
        via: hook.told.at(-1)?.agent,
        saves: 0,
        undone: 0,
        last: new Date(hook.at).toISOString(),
        ...shownTo(hook),
      });
  return [...known, ...others].sort((a, b) => compareText(b.last ?? '', a.last ?? ''));
}

const shownTo = ({ shown, prompts, told }: HookSession) => ({
  shown,
  prompts,
  told: told.map(({ at, event, ids, broken }) => ({ at, event, ids, ...(broken && { broken }) })),
});

/** Hooks keep the sessions of all memories in one folder: one belongs to the memory that has what was shown. */
async function isOfMemory(memory: MemoryCore, { shown: [first] }: HookSession): Promise<boolean> {
  if (first === undefined) return false;
  return memory.call('show', { ref: first }).then(
    () => true,
    () => false,
  );
}

function viewSession({ session, via, saves, undone, last, shown, prompts, told }: Session): View[number] {
  const hooked =
    prompts + shown.length === 0
      ? 'not shown anything by hooks'
      : `shown ${counted(shown.length, 'record')}; ${counted(prompts, 'prompt')}`;
  const broken = new Set(told.flatMap((each) => each.broken ?? [])).size;
  return line(
    strong(session.slice(0, SHORT)),
    dim(`  ${via ?? 'an agent'}  `),
    ...(last === undefined ? [] : [date(last), '  ']),
    `saved ${saves}${undone > 0 ? ` (${undone} undone)` : ''}; ${hooked}${broken > 0 ? `; went against ${counted(broken, 'record')} that it was shown` : ''}`,
  );
}
/** Digits of a session's id that are shown. */
const SHORT = 8;

/** A session with its records, as they are now. */
async function oneSession(memory: MemoryCore, all: Session[], beginning: string): Promise<Answer> {
  const [found, second] = all.filter(({ session }) => session.startsWith(beginning));
  if (!found)
    throw notFound.no_session(
      `Expected the id of a session or a prefix of one, found "${beginning}". "precedent list sessions" lists them.`,
    );
  if (second)
    throw invalid.ambiguous(
      `Expected the id of one session, found "${beginning}", a prefix of several. Give more of the id.`,
    );
  const names = new Map<string, string>();
  const shown: View = [];
  for (const ref of found.shown) {
    const record = (await memory.call('show', { ref }).catch(() => undefined)) as Result<'show'> | undefined;
    names.set(ref, record?.decision?.decision.topic ?? ref.slice(0, SHORT));
    shown.push(...(record ? await viewOf('show', record) : [line(dim(`${ref} is gone`))]), line(''));
  }
  const filter = `session:${found.session}`;
  const saved =
    found.saves === 0
      ? { entries: [] }
      : ((await memory.call('timeline', { filter, limit: 1_000, full: true })) as Result<'timeline'>);
  return {
    report: { session: found, saved: saved.entries, workspace: memory.workspace },
    view: [
      viewSession(found),
      ...(found.told.length > 0 ? [line(''), line(strong('told'))] : []),
      ...found.told.flatMap(({ at, event, ids, broken = [] }) => {
        const named = (of: string[]) => of.map((id) => names.get(id) ?? id).join(', ');
        return [
          ...(ids.length > 0 || broken.length === 0
            ? [indented(date(iso(at)), `  ${event}  `, named(ids) || dim('no record'))]
            : []),
          ...(broken.length > 0
            ? [
                indented(
                  date(iso(at)),
                  `  ${event}  `,
                  strong('went against what it was shown: '),
                  named(broken),
                ),
              ]
            : []),
        ];
      }),
      ...(shown.length > 0 ? [line(''), line(strong('shown by hooks')), ...shown] : []),
      line(strong('saved')),
      ...(saved.entries.length > 0 ? await viewOf('timeline', saved) : [indented(dim('nothing'))]),
      line(dim(`workspace ${memory.workspace}`)),
    ],
  };
}
