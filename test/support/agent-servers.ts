import { json } from '../../src/agents/edit/json.ts';
import { toml } from '../../src/agents/edit/toml.ts';

/** Where an agent keeps its servers below the home, what a server of ours looks like there, and its skill. */
export interface Server {
  file: string;
  path: string[];
  value: object;
  skill?: string;
}

/** What setup enters for each agent. @param node and program that the server is started with */
export const serversOf = (node: string, program: string): Record<string, Server> => ({
  claude: {
    file: '.claude.json',
    path: ['mcpServers', 'precedent'],
    value: { type: 'stdio', command: node, args: [program, 'mcp'], env: {} },
    skill: '.claude/skills/precedent/SKILL.md',
  },
  codex: {
    file: '.codex/config.toml',
    path: ['mcp_servers', 'precedent'],
    value: {
      command: node,
      args: [program, 'mcp'],
      env_vars: [
        'PRECEDENT_DB',
        'PRECEDENT_WORKSPACE',
        'PRECEDENT_AUTHOR',
        'PRECEDENT_EMBED_URL',
        'PRECEDENT_EMBED_MODEL',
        'PRECEDENT_EMBED_KEY',
        'XDG_DATA_HOME',
        'PGUSER',
        'PGPASSWORD',
      ],
    },
    skill: '.codex/skills/precedent/SKILL.md',
  },
  gemini: {
    file: '.gemini/settings.json',
    path: ['mcpServers', 'precedent'],
    value: { command: node, args: [program, 'mcp'] },
    skill: '.gemini/skills/precedent/SKILL.md',
  },
  copilot: {
    file: '.copilot/mcp-config.json',
    path: ['mcpServers', 'precedent'],
    value: { type: 'local', command: node, args: [program, 'mcp'], tools: ['*'] },
    skill: '.copilot/skills/precedent/SKILL.md',
  },
  vscode: {
    file:
      process.platform === 'darwin'
        ? 'Library/Application Support/Code/User/mcp.json'
        : '.config/Code/User/mcp.json',
    path: ['servers', 'precedent'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code puts the folder in.
    value: { type: 'stdio', command: node, args: [program, 'mcp'], cwd: '${workspaceFolder}' },
  },
  cursor: {
    file: 'project/.cursor/mcp.json',
    path: ['mcpServers', 'precedent'],
    value: { command: node, args: [program, 'mcp'] },
  },
  opencode: {
    file: '.config/opencode/opencode.json',
    path: ['mcp', 'precedent'],
    value: { type: 'local', command: [node, program, 'mcp'], enabled: true },
    skill: '.config/opencode/skills/precedent/SKILL.md',
  },
});

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
