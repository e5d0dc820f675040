import { join } from 'node:path';
import { jsonIn } from '../../domain/text/json.ts';
import { readIfOrdinary } from '../../files/bounded.ts';
import {
  type Agent,
  ASK_LOCKS,
  HOOK_TIMEOUT,
  type HookSupport,
  hooksAt,
  hookWords,
  type Launch,
  type Machine,
  PLUGIN,
  serverArgs,
  serverAt,
  skillIn,
} from '../agent.ts';
import type { Entry } from '../entry.ts';
import { bearer, endpointOf, TOKEN } from '../remote.ts';

/**
 * The events and the answer of Claude Code; other agents took them over, or a part of them. Codex refuses any other key. A
 * subagent has a context of its own, and is sent neither that of its session nor what a server says of itself (T-12).
 */
export const claudeHook = {
  events: {
    SessionStart: 'start',
    UserPromptSubmit: 'prompt',
    SubagentStart: 'subagent',
    PreToolUse: 'call',
    PostToolUse: 'file',
    PostToolUseFailure: 'error',
  },
  answer: ({ name }, context, message) => ({
    ...(message !== undefined && { systemMessage: message }),
    hookSpecificOutput: { hookEventName: name, additionalContext: context },
  }),
} as const satisfies Partial<HookSupport>;

/** The tools whose calls are events, on a server of setup's or of the plugin's, and the starts of a session that are. */
export const CLAUDE_MATCHERS = {
  SessionStart: 'startup|resume|clear|compact',
  // A tool that starts a subagent (T-12), may override a lock (T-6), or writes or runs something (RE-3, RE-5).
  PreToolUse:
    '^(Agent|Task|Bash|Edit|Write|MultiEdit|NotebookEdit)$|mcp__(plugin_precedent_)?precedent__(mama_save|decision_save|decision_revise|rename|undo)',
  // A file was read (RE-3), a plan was approved (RE-11), or a decision was saved. A file is read before it is changed.
  PostToolUse: '^(Read|ExitPlanMode)$|mcp__(plugin_precedent_)?precedent__mama_save',
  // A command, or a change of a file, failed (RE-4).
  PostToolUseFailure: '^(Bash|Edit|Write|MultiEdit|NotebookEdit)$',
};

/** The tools that may change a file: that they did says what the person allowed (RE-15). */
const CHANGING = '^(Bash|Edit|Write|MultiEdit|NotebookEdit)$';

const folder = ({ home, environment }: Machine) => environment.CLAUDE_CONFIG_DIR || join(home, '.claude');

const server = (file: string, launch: Launch): Entry =>
  serverAt(
    file,
    'mcpServers',
    launch.remote
      ? { type: 'http', url: endpointOf(launch.remote), headers: bearer(`\${${TOKEN}}`) }
      : { type: 'stdio', command: launch.node, args: serverArgs(launch), env: {} },
  );

const permissions = (file: string, tools: readonly string[]): Entry[] =>
  tools.map((tool) => ({
    part: 'permissions',
    file,
    format: 'json',
    path: ['permissions', 'allow'],
    value: `mcp__precedent__${tool}`,
    isItem: true,
    unless: {
      path: ['permissions', 'deny'],
      holds: [`mcp__precedent__${tool}`, 'mcp__precedent', 'mcp__precedent__*'],
    },
  }));

/** How long Claude Code skips a server after it noted that it got no answer. */
const SKIPPED = 15 * 60_000;

/** Claude Code's notes of servers of plugins and over HTTP. A server that setup enters is started each time. */
function skips(machine: Machine) {
  const notedIn = join(folder(machine), 'mcp-needs-auth-cache.json');
  const noted = Object.entries(Object(jsonIn(`${readIfOrdinary(notedIn)}`))).flatMap(([name, note]) =>
    /(?:^|:)precedent$/.test(name) ? Number(Object(note).timestamp) || [] : [],
  );
  const until = Math.max(...noted) + SKIPPED;
  return until > Date.now() ? { until, notedIn } : undefined;
}

export const claude: Agent = {
  name: 'claude',
  title: 'Claude Code',
  programs: ['claude'],
  folder,
  instructions: {
    home: ['.claude/CLAUDE.md', '.claude/rules/**/*.md'],
    project: ['**/CLAUDE.md', '**/CLAUDE.local.md', '.claude/rules/**/*.md'],
  },
  plugin: {
    file: 'settings.json',
    format: 'json',
    path: ['enabledPlugins', PLUGIN],
    remove: `claude plugin uninstall ${PLUGIN}`,
  },
  shell: { sets: ['CLAUDECODE'], programs: ['claude'] },
  hook: {
    ...claudeHook,
    clients: ['claude-code'],
    alsoRunBy: ['copilot', 'vscode', 'cursor'],
    // With nobody there it would refuse the call, and nothing could be settled.
    ask: (why, { CLAUDE_CODE_SESSION_ATTENDED: attended }) =>
      attended === '0'
        ? undefined
        : {
            hookSpecificOutput: {
              hookEventName: 'PreToolUse',
              permissionDecision: 'ask',
              permissionDecisionReason: why,
            },
          },
  },
  skips,
  entries(machine, { launch, tools, skill, hooks, asksLocks }) {
    const { home, environment } = machine;
    const settings = join(folder(machine), 'settings.json');
    // With `args` no shell reads the command.
    const [program, ...args] = [...hookWords(launch, 'claude'), ...(asksLocks ? [ASK_LOCKS] : [])];
    const matchers = asksLocks
      ? { ...CLAUDE_MATCHERS, PostToolUse: `${CHANGING}|${CLAUDE_MATCHERS.PostToolUse}` }
      : CLAUDE_MATCHERS;
    const command = { type: 'command', command: program, args, timeout: HOOK_TIMEOUT };
    return [
      server(join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json'), launch),
      ...permissions(settings, tools),
      ...(hooks ? hooksAt(settings, claudeHook.events, command, matchers) : []),
      skillIn(folder(machine), skill),
    ];
  },
  shared: (project, launch, tools) => [
    server(join(project, '.mcp.json'), launch),
    ...permissions(join(project, '.claude', 'settings.json'), tools),
  ],
};
