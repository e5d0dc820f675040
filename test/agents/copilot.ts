import type { Agent } from './agent.ts';

export const copilot: Agent = {
  name: 'copilot',
  package: '@github/copilot',
  version: '1.0.102',
  models: ['fake'],
  settings: () => ({}),
  environment: (url) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'x',
    COPILOT_MODEL: 'fake',
  }),
  prompt: (text) => ['--allow-all-tools', '-p', text],
  call: (tool, input) => ({ tool: `precedent-${tool}`, input }),
  edit: (path) => [
    { tool: 'view', input: { path } },
    { tool: 'edit', input: { path, old_str: 'one', new_str: 'two' } },
  ],
  shell: (command) => ({ tool: 'bash', input: { command, description: 'Run' } }),
  roles: { start: 'user', prompt: 'user' },
  subagent: {
    start: (prompt) => ({
      tool: 'task',
      input: { description: 'Look', prompt, agent_type: 'general-purpose', name: 'look', mode: 'sync' },
    }),
  },
};
