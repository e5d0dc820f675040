import type { Agent } from './agent.ts';

export const gemini: Agent = {
  name: 'gemini',
  package: '@google/gemini-cli',
  version: '0.61.0',
  models: ['gemini-2.5-pro'],
  settings: () => ({
    '.gemini/settings.json': `{
  // mine
  "tools": { "allowed": ["run_shell_command"] },
  "security": {
    "auth": { "selectedType": "gemini-api-key" },
    "folderTrust": { "enabled": false }
  }
}
`,
  }),
  environment: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'x' }),
  prompt: (text, model) => ['-m', model, '--approval-mode', 'auto_edit', '-p', text],
  call: (tool, input) => ({ tool: `mcp_precedent_${tool}`, input }),
  edit: (file_path) => [
    { tool: 'read_file', input: { file_path } },
    { tool: 'replace', input: { file_path, old_string: 'one', new_string: 'two', instruction: 'Count on.' } },
  ],
  shell: (command) => ({ tool: 'run_shell_command', input: { command } }),
  roles: { start: 'user', prompt: 'user' },
};
