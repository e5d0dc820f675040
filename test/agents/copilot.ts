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
  roles: { start: 'user', prompt: 'user' },
};
