import type { Agent } from './agent.ts';

export const claude: Agent = {
  name: 'claude',
  package: '@anthropic-ai/claude-code',
  version: '2.1.332',
  models: ['default'],
  settings: () => ({
    '.claude/settings.json':
      '{\n  "cleanupPeriodDays": 30,\n  "permissions": { "allow": ["Bash", "Read", "Edit"] }\n}\n',
  }),
  environment: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'x',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  prompt: (text) => ['-p', text],
  call: (tool, input) => ({ tool: `mcp__precedent__${tool}`, input }),
  edit: (file_path) => [
    { tool: 'Read', input: { file_path } },
    { tool: 'Edit', input: { file_path, old_string: 'one', new_string: 'two' } },
  ],
  shell: (command) => ({ tool: 'Bash', input: { command } }),
  roles: { start: 'system', prompt: 'system' },
  subagent: {
    start: (prompt) => ({
      tool: 'Agent',
      input: { description: 'Look', prompt, subagent_type: 'general-purpose', run_in_background: false },
    }),
  },
  rewrites: ['.claude.json'],
  async compact({ run }, first, second) {
    await run(['-p', first]);
    await run(['-p', '-c', '/compact']);
    await run(['-p', '-c', second]);
  },
};
