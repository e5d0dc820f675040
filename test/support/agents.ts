import type { AgentName } from '../../src/agents/agents.ts';
import { json } from '../../src/agents/edit/json.ts';
import { toml } from '../../src/agents/edit/toml.ts';

/** What setup enters for an agent, as the agent's own pages say. Files are below the home, in which a project is `project`. */
interface KnownAgent {
  /** Where its servers are, and under which keys ours is. */
  file: string;
  path: string[];
  /** The same file of a project, below that. */
  shared: string;
  /** A server of ours that this command starts. */
  started(command: string, args: string[]): object;
  /** That of a team. */
  remote(url: string): object;
  skill: string | undefined;
  hooks: KnownHooks | undefined;
}

/** The hooks that setup enters. */
interface KnownHooks {
  file: string;
  /** The names of their events, as the file holds them. */
  events: string[];
  /** What starts one on Windows: a line for PowerShell, or its words where no shell reads them. */
  starts(hook: never): string | string[];
  /** Set where an event tells of tools: a change of a file as the agent sends it, and what saving a decision is called there. */
  tools: { edit(top: string, file: string): Used; saves: string[] } | undefined;
}

interface Used {
  tool_name: string;
  tool_input: object;
}
const used = (tool_name: string, tool_input: object): Used => ({ tool_name, tool_input });
const header = (reference: string) => ({ Authorization: `Bearer ${reference}` });
/** Of Claude Code, which others took over. */
const FOR_EACH = ['SessionStart', 'UserPromptSubmit', 'SubagentStart', 'PostToolUse'];
const EVENTS = [...FOR_EACH.slice(0, 3), 'PreToolUse', 'PostToolUse', 'PostToolUseFailure'];
type Grouped = { hooks: [{ command: string; args: string[] }] };
const lineIn = ({ hooks: [hook] }: Grouped) => hook.command;

/** All that tests know of agents. */
export const KNOWN: Readonly<Record<AgentName, KnownAgent>> = {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the agents put the variable or the folder in.
  claude: {
    file: '.claude.json',
    path: ['mcpServers', 'precedent'],
    shared: '.mcp.json',
    started: (command, args) => ({ type: 'stdio', command, args, env: {} }),
    remote: (url) => ({ type: 'http', url, headers: header('${PRECEDENT_TOKEN}') }),
    skill: '.claude/skills/precedent/SKILL.md',
    hooks: {
      file: '.claude/settings.json',
      events: EVENTS,
      starts: ({ hooks: [{ command, args }] }: Grouped) => [command, ...args],
      tools: {
        edit: (top, file) => used('Edit', { file_path: `${top}/${file}`, old_string: 'a', new_string: 'b' }),
        saves: ['mcp__precedent__mama_save', 'mcp__plugin_precedent_precedent__mama_save'],
      },
    },
  },
  codex: {
    file: '.codex/config.toml',
    path: ['mcp_servers', 'precedent'],
    shared: '.codex/config.toml',
    started: (command, args) => ({
      command,
      args,
      env_vars: [
        'PRECEDENT_DB',
        'PRECEDENT_WORKSPACE',
        'PRECEDENT_AUTHOR',
        'PRECEDENT_EMBED_URL',
        'PRECEDENT_EMBED_MODEL',
        'PRECEDENT_EMBED_KEY',
        'PRECEDENT_EMBED_DIR',
        'XDG_DATA_HOME',
        'PGUSER',
        'PGPASSWORD',
      ],
    }),
    remote: (url) => ({ url, bearer_token_env_var: 'PRECEDENT_TOKEN' }),
    skill: '.codex/skills/precedent/SKILL.md',
    hooks: {
      file: '.codex/hooks.json',
      events: FOR_EACH,
      starts: lineIn,
      tools: {
        edit: (_, file) =>
          used('apply_patch', {
            command: `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`,
          }),
        saves: ['mcp__precedent__mama_save'],
      },
    },
  },
  gemini: {
    file: '.gemini/settings.json',
    path: ['mcpServers', 'precedent'],
    shared: '.gemini/settings.json',
    started: (command, args) => ({ command, args }),
    remote: (httpUrl) => ({ httpUrl, headers: header('$PRECEDENT_TOKEN') }),
    skill: '.gemini/skills/precedent/SKILL.md',
    hooks: {
      file: '.gemini/settings.json',
      events: ['SessionStart', 'BeforeAgent', 'AfterTool'],
      starts: lineIn,
      tools: {
        edit: (_, file_path) => used('replace', { file_path }),
        saves: ['mcp_precedent_mama_save'],
      },
    },
  },
  copilot: {
    file: '.copilot/mcp-config.json',
    path: ['mcpServers', 'precedent'],
    shared: '.github/mcp.json',
    started: (command, args) => ({ type: 'local', command, args, tools: ['*'] }),
    remote: (url) => ({ type: 'http', url, headers: header('${PRECEDENT_TOKEN}'), tools: ['*'] }),
    skill: '.copilot/skills/precedent/SKILL.md',
    hooks: {
      file: '.copilot/hooks/precedent.json',
      events: EVENTS,
      starts: (file: string) => JSON.parse(file).hooks.SessionStart[0].powershell,
      tools: {
        edit: (top, file) => used('Edit', { path: `${top}/${file}` }),
        saves: ['precedent-mama_save'],
      },
    },
  },
  vscode: {
    file:
      process.platform === 'darwin'
        ? 'Library/Application Support/Code/User/mcp.json'
        : '.config/Code/User/mcp.json',
    path: ['servers', 'precedent'],
    shared: '.vscode/mcp.json',
    started: (command, args) => ({ type: 'stdio', command, args, cwd: '${workspaceFolder}' }),
    remote: (url) => ({ type: 'http', url, headers: header('${env:PRECEDENT_TOKEN}') }),
    skill: undefined,
    hooks: undefined,
  },
  cursor: {
    file: 'project/.cursor/mcp.json',
    path: ['mcpServers', 'precedent'],
    shared: '.cursor/mcp.json',
    started: (command, args) => ({ command, args }),
    remote: (url) => ({ url, headers: header('${env:PRECEDENT_TOKEN}') }),
    skill: undefined,
    hooks: {
      file: 'project/.cursor/hooks.json',
      events: ['sessionStart'],
      starts: ({ command }: { command: string }) => command,
      tools: undefined,
    },
  },
  opencode: {
    file: '.config/opencode/opencode.json',
    path: ['mcp', 'precedent'],
    shared: 'opencode.json',
    started: (command, args) => ({ type: 'local', command: [command, ...args], enabled: true }),
    remote: (url) => ({
      type: 'remote',
      url,
      headers: header('{env:PRECEDENT_TOKEN}'),
      oauth: false,
      enabled: true,
    }),
    skill: '.config/opencode/skills/precedent/SKILL.md',
    hooks: {
      file: '.config/opencode/plugins/precedent.js',
      events: FOR_EACH,
      starts: (plugin: string) =>
        JSON.parse(/^const \[program, \.\.\.args\] = (.*);$/m.exec(plugin)?.[1] ?? '""'),
      tools: {
        edit: (top, file) => used('edit', { filePath: `${top}/${file}` }),
        saves: ['precedent_mama_save'],
      },
    },
  },
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the agents put the variable or the folder in.
};

/** Those for which setup enters hooks, and these. */
export const HOOKED: readonly (readonly [name: string, hooks: KnownHooks])[] = Object.entries(KNOWN).flatMap(
  ([name, { hooks }]) => (hooks === undefined ? [] : [[name, hooks] as const]),
);

export const formatOf = (file: string) => (file.endsWith('.toml') ? toml : json);

/** Settings as people have them, by what is special about them. */
export const REAL: Record<string, (file: string, path: string[]) => string | Uint8Array | undefined> = {
  'no file yet': () => undefined,
  'an empty file': () => '',
  'another server, with comments': (file, [group = '']) =>
    file.endsWith('.toml')
      ? `# mine\nmodel = "gpt-5.5" # why\n\n[${group}.other]\ncommand = "x"\n`
      : `{\n  // mine\n  "${group}": {\n    "other": { "command": "x" } // why\n  },\n  "기타": [1, 2]\n}\n`,
  'CRLF and a byte order mark': (file, [group = '']) =>
    file.endsWith('.toml')
      ? `\uFEFF[${group}.other]\r\ncommand = "x"\r\n`
      : `\uFEFF{\r\n\t"${group}": {\r\n\t\t"other": { "command": "x" }\r\n\t}\r\n}\r\n`,
  'one line without an end': (file) => (file.endsWith('.toml') ? 'model = "x"' : '{"theme":"dark"}'),
  'a trailing comma': (file) => (file.endsWith('.toml') ? 'a = [1, 2,]\n' : '{\n  "theme": "dark",\n}\n'),
};
