import type { Agent } from './agent.ts';

export const gemini: Agent = {
  name: 'gemini',
  package: '@google/gemini-cli',
  version: '0.61.0',
  models: ['gemini-2.5-pro'],
  settings: () => ({
    '.gemini/settings.json': `{
  // mine
  "security": {
    "auth": { "selectedType": "gemini-api-key" },
    "folderTrust": { "enabled": false }
  }
}
`,
  }),
  environment: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'x' }),
  prompt: (text, model) => ['-m', model, '-p', text],
  call: (tool, input) => ({ tool: `mcp_precedent_${tool}`, input }),
  roles: { start: 'user', prompt: 'user' },
};
