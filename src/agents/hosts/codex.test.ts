import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Entry } from '../entry.ts';
import { codex } from './codex.ts';

/** As Codex 0.169.0 told them in an answer to `hooks/list`. */
const SECONDS = 5;
const FILE = '/home/me/.codex/hooks.json';
const SEEN: Record<string, string> = {
  [`${FILE}:session_start:0:0`]: 'sha256:2fe26b622b50c215f106c8f5383286311d668f8e042aa6265f9ed4ee9da17f06',
  [`${FILE}:user_prompt_submit:1:0`]:
    'sha256:11264cd84f7739bae1f4bf76f850f69976264da55316ab14afe523f36c3c70e3',
};
const hook = (event: string, group: object): Entry => ({
  part: 'hooks',
  file: FILE,
  format: 'json',
  path: ['hooks', event],
  value: group as Entry['value'],
  isItem: true,
});
const START = {
  matcher: 'startup|clear|compact',
  hooks: [{ type: 'command', command: "'/a b/node' /x/precedent.cjs hook codex", timeout: SECONDS }],
};
const PROMPT = {
  hooks: [{ type: 'command', command: '/n /x/precedent.cjs hook codex 한', timeout: SECONDS }],
};
const OTHER = { hooks: [{ type: 'command', command: 'echo other' }] };
const HOOKS = [hook('SessionStart', START), hook('UserPromptSubmit', PROMPT)];
const PRESENT = { hooks: { SessionStart: [START], UserPromptSubmit: [OTHER, PROMPT] } };
const config = (state: Record<string, string>) => ({
  hooks: {
    state: Object.fromEntries(Object.entries(state).map(([key, hash]) => [key, { trusted_hash: hash }])),
  },
});

describe('whether Codex trusts the hooks', () => {
  it('[A-1] is read as Codex itself keeps it: by the place and what stands there', () => {
    assert.equal(codex.trust?.read(HOOKS, PRESENT, config(SEEN)), 'trusted');
    assert.equal(codex.trust?.read(HOOKS, PRESENT, {}), 'not trusted');
    const [one = ''] = Object.keys(SEEN);
    assert.equal(codex.trust?.read(HOOKS, PRESENT, config({ [one]: SEEN[one] ?? '' })), 'not trusted');
  });

  it('[A-1] is lost when another hook comes before ours, and unknown when the hash is another', () => {
    const moved = { hooks: { ...PRESENT.hooks, UserPromptSubmit: [OTHER, OTHER, PROMPT] } };
    assert.equal(codex.trust?.read(HOOKS, moved, config(SEEN)), 'not trusted');
    const [one = ''] = Object.keys(SEEN);
    assert.equal(codex.trust?.read(HOOKS, PRESENT, config({ ...SEEN, [one]: 'sha256:0' })), 'unknown');
    assert.equal(codex.trust?.read(HOOKS, { hooks: {} }, config(SEEN)), 'unknown');
  });
});
