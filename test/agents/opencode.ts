import type { Agent } from './agent.ts';
import { withOpencodeServer } from './opencode-server.ts';

export const opencode: Agent = {
  name: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  models: ['fake/fake'],
  settings: (url) => ({
    '.config/opencode/opencode.json': `{
  "$schema": "https://opencode.ai/config.json", // it adds this itself
  "autoupdate": false,
  "provider": {
    "fake": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "${url}/v1", "apiKey": "x" },
      "models": { "fake": {} }
    }
  }
}
`,
  }),
  environment: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  prompt: (text, model) => ['run', '-m', model, text],
  call: (tool, input) => ({ tool: `precedent_${tool}`, input }),
  edit: (filePath) => [
    { tool: 'read', input: { filePath } },
    { tool: 'edit', input: { filePath, oldString: 'one', newString: 'two' } },
  ],
  shell: (command) => ({ tool: 'bash', input: { command, description: 'Run' } }),
  roles: { start: 'system', prompt: 'user' },
  subagent: {
    start: (prompt) => ({ tool: 'task', input: { description: 'Look', prompt, subagent_type: 'general' } }),
  },
  compact: (rig, first, second) =>
    withOpencodeServer(rig, async (post) => {
      const model = { providerID: 'fake', modelID: 'fake' };
      const { id } = await post('/session', {});
      const say = (text: string) =>
        post(`/session/${id}/message`, { model, parts: [{ type: 'text', text }] });
      await say(first);
      await post(`/session/${id}/summarize`, model);
      await say(second);
    }),
};
