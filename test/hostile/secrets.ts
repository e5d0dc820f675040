import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { causeIn } from '../../src/domain/prompt/complaint.ts';
import { saidIn } from '../../src/domain/prompt/prompt.ts';
import { readPrompt } from '../../src/domain/prompt/reading.ts';
import { redactDeep } from '../../src/domain/text/redaction.ts';
import { readEvent } from '../../src/hook/event.ts';
import { openMemory } from '../../src/index.ts';
import { readSource } from '../../src/memory/importing.ts';
import { withinProcessorTime } from '../support/clock.ts';
import { SECRET_EXAMPLES } from '../support/secret-examples.ts';
import { serving } from '../support/serving.ts';
import type { Attack, Scene } from './scene.ts';

/** What no file may hold afterwards. In two parts: whoever looks for secrets in this repository would report it. */
const NEEDLE = 'q8Zt3vLmXw0cRj7K';
const TOKEN = `${'ghp_'}${NEEDLE}pYhB2nUe5DsGfA9iT1oV`;
const MARK = '[masked: GitHub token]';
const SAID = /Masked in "\w+", and not stored: 1 GitHub token\./;

type Call = (name: string, input: object) => Promise<Record<string, unknown>>;

/** A save of every kind of record, with the token in every text. */
async function saveEverywhere(call: Call): Promise<void> {
  const said = async (name: string, input: object) => {
    const result = await call(name, input);
    assert.match(JSON.stringify(result.warnings), /Masked in /, name);
    assert(!JSON.stringify(result).includes(NEEDLE), name);
    return result;
  };
  const text = `토큰은 ${TOKEN}입니다`;
  const { id } = await said('mama_save', {
    topic: 'auth:token',
    decision: text,
    reasoning: `\`\`\`\n${TOKEN}\n\`\`\``,
    evidence: [`{"token":"${TOKEN}"}`, `\u001b[31m${TOKEN.slice(0, 9)}\u001b[0m${TOKEN.slice(9)}`],
  });
  await said('mama_update', { id, outcome: 'failed', reason: text });
  await said('mama_save', {
    type: 'checkpoint',
    summary: text,
    next_steps: text,
    open_files: [`a/${TOKEN}.ts`],
  });
  await said('evidence_save', { decisionRef: id, content: `url?t%3D${TOKEN}%26` });
  await said('anchor_save', { targetRef: id, type: 'decision_link', hint: text });
  await said('decision_revise', { id, text: `${text}!`, reasoning: text });
  const one = await said('mem_save', { title: text, content: text });
  const two = await call('mem_save', { title: 'two', content: 'y' });
  await said('mem_update', { id: one.id, content: `${text}.` });
  await said('mem_relate', { from_id: one.id, to_id: two.id, relation_type: 'needs', note: text });
  await said('memo_save', { fullText: text, keywords: ['word'] });
  await said('keywords_record', { text: `deploy ${TOKEN} cluster`, sessionId: 's' });
}

/** That no file below a folder holds it, whatever it is written in. */
function assertNowhere(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    assert(!readFileSync(file, 'latin1').toLowerCase().includes(NEEDLE.toLowerCase()), file);
  }
}

/** Runs something on a memory of its own, and looks at its file. */
async function inMemory(
  scene: Scene,
  work: (memory: Awaited<ReturnType<typeof openMemory>>) => Promise<void>,
) {
  const memory = await openMemory({ db: join(scene.home, 'm.db') });
  try {
    await work(memory);
  } finally {
    await memory.close();
  }
  assertNowhere(scene.home);
}

async function onServer(
  scene: Scene,
  work: (call: Call, server: Awaited<ReturnType<typeof serving>>) => Promise<void>,
) {
  const server = await serving(scene.home);
  try {
    await work(async (name, input) => (await server.api(`main/${name}`, input)).body, server);
    assert(!JSON.stringify([server.logged, server.audited]).includes(NEEDLE));
  } finally {
    await server.close();
  }
  assertNowhere(scene.home);
}

/** The memory of another tool, with the token in a text, in a name and where no record has a place for it. */
const ofOther = [
  { type: 'entity', name: 'deploy', entityType: 'note', observations: [`use ${TOKEN}`, `or ${TOKEN} again`] },
  { type: 'entity', name: `key ${TOKEN}`, entityType: 'note', observations: ['in the name'], extra: TOKEN },
].map((each) => JSON.stringify(each));

const BATCH = [
  { operation: 'mama_save', topic: 'a:b', decision: TOKEN },
  { operation: 'mem_save', title: 't', content: TOKEN, date: '2026-01-01' },
].map((each) => JSON.stringify(each));

const PROMPT = `Deploy the login cluster with the token ${TOKEN}, please: deploy login cluster`;

/** Nearly a token, of many words; nearly a tag; and a name of many parts that fails. Each step more took twice the time, or its square. */
const WORDY = `hvs.${'a-'.repeat(24)}${'a'.repeat(20)}`;
const TAGGED = `<private a=${' '.repeat(100_000)}`;
const FAILING = `It fails at a_${'a_'.repeat(26)}a-`;

const ranCommand = (command: string, output: string) => ({
  hook_event_name: 'PostToolUse',
  session_id: 's',
  cwd: '/',
  tool_name: 'Bash',
  tool_input: { command },
  tool_response: output,
});

export const secrets: Attack[] = [
  {
    tries: 'a text at which masking and redaction take for ever [Z-6] [Z-12]',
    faces: {
      'command line': async (scene) => {
        const save = { operation: 'mem_save', title: 'a', content: `${WORDY} ${TAGGED}` };
        const ran = await scene.run(['import', '-'], { stdin: JSON.stringify(save) });
        assert.match(ran.stdout, /saved 1 record /, ran.stderr);
      },
      library: (scene) =>
        inMemory(scene, (memory) =>
          withinProcessorTime(3_000, async () => {
            await memory.call('mem_save', { title: 'a', content: `${WORDY} ${TAGGED}` });
          }),
        ),
      function: async () => {
        await withinProcessorTime(3_000, () => redactDeep(Array(200_000).fill('a')));
      },
    },
  },
  {
    tries: 'an output, a command, a prompt or a record at which a hook takes for ever [Z-6] [Z-12]',
    faces: {
      hook: async (scene) => {
        const stdin = JSON.stringify(ranCommand('make', '\n'.repeat(200_000)));
        assert.equal((await scene.run(['hook', 'claude'], { stdin })).code, 0);
      },
      function: async () => {
        const within = (work: () => unknown, what: string) => withinProcessorTime(3_000, work, what);
        await within(() => readEvent(ranCommand('make', '\n'.repeat(200_000))), 'output');
        await within(() => readEvent(ranCommand('sed -;'.repeat(20_000), '')), 'command');
        await within(() => Array(15).fill('<precedent '.repeat(7_000)).map(saidIn), 'prompt');
        await within(() => causeIn(FAILING, ['error a'], { of: new Map(), documents: 1 }), 'record');
      },
    },
  },
  {
    tries: 'an agent saves a token, in each text of each kind of record [Z-9]',
    faces: {
      library: (scene) =>
        inMemory(scene, (memory) => saveEverywhere((name, input) => memory.call(name, input))),
      HTTP: (scene) => onServer(scene, saveEverywhere),
      MCP: async (scene) => {
        const { client } = await scene.connect();
        const { content } = (await client.callTool({
          name: 'mama_save',
          arguments: { topic: 'a:b', decision: TOKEN },
        })) as { content: { text: string }[] };
        assert.match(JSON.parse(content[0]?.text ?? '').warnings.join('\n'), SAID);
        await client.close();
        assertNowhere(scene.home);
      },
      'command line': async (scene) => {
        const { code, stdout } = await scene.run(['tool', 'mama_save', 'a:b', TOKEN, '--reasoning', TOKEN]);
        assert.equal(code, 0);
        assert.match(stdout, SAID);
        assertNowhere(scene.home);
      },
    },
  },
  {
    tries: 'an agent asks for its token to be kept, under any name of the option [Z-9]',
    faces: {
      HTTP: (scene) =>
        onServer(scene, async (call) => {
          for (const field of ['keep_secret', 'keepSecret', 'keep-secret', 'keepsSecrets', 'how']) {
            const refused = await call('mama_save', { topic: 'a:b', decision: TOKEN, [field]: true });
            assert.match(JSON.stringify(refused), /Expected only the fields/, field);
          }
        }),
      MCP: async (scene) => {
        const { client } = await scene.connect();
        for (const field of ['keep_secret', 'keepSecret', 'keepsSecrets']) {
          const refused = await client.callTool({
            name: 'mama_save',
            arguments: { topic: 'a:b', decision: TOKEN, [field]: true },
            _meta: { keepSecret: true, keepsSecrets: true },
          });
          assert.equal(refused.isError, true, field);
        }
        const { tools } = await client.listTools();
        assert.doesNotMatch(JSON.stringify(tools), /keep.?secret/i);
        await client.close();
        assertNowhere(scene.home);
      },
      library: (scene) =>
        inMemory(scene, async (memory) => {
          const input = { topic: 'a:b', decision: TOKEN, keepSecret: true };
          await assert.rejects(memory.call('mama_save', input), /Expected only the fields/);
        }),
    },
  },
  {
    tries: 'a batch of saves brings a token in [Z-9]',
    faces: {
      library: (scene) =>
        inMemory(scene, async (memory) => {
          const { saved, warnings } = await memory.batch(BATCH);
          assert.equal(saved, 2);
          assert.match(warnings.join('\n'), /^line 1: Masked in "decision".*\nline 2: Masked in "content"/);
        }),
      'command line': async (scene) => {
        const { code, stdout } = await scene.run(['import', '-'], { stdin: BATCH.join('\n') });
        assert.equal(code, 0);
        assert.match(stdout, SAID);
        assertNowhere(scene.home);
      },
    },
  },
  {
    tries: 'the memory of another tool brings a token in, twice [Z-9]',
    faces: {
      library: (scene) =>
        inMemory(scene, async (memory) => {
          const file = scene.put('memory.jsonl', ofOther.join('\n'));
          const machine = { home: scene.home, folder: scene.stranger, platform: process.platform, env: {} };
          const take = () => memory.merge(readSource('server-memory', file, machine, {}));
          const first = await take();
          assert(first.observations.new > 0);
          assert.match(first.warnings.join('\n'), /Masked, and not stored: \d+ GitHub tokens\./);
          assert(!JSON.stringify(first).includes(NEEDLE));
          const again = await take();
          assert.deepEqual(
            [again.observations.new, again.observations.changed, again.observations.same],
            [0, 0, first.observations.new],
          );
        }),
      'command line': async (scene) => {
        const file = scene.put('memory.jsonl', ofOther.join('\n'));
        const { code, stdout, stderr } = await scene.run(['import', '--from', 'server-memory', file]);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /Masked, and not stored: \d+ GitHub tokens\./);
        assert(!`${stdout}${stderr}`.includes(NEEDLE));
        assertNowhere(scene.home);
      },
    },
  },
  {
    tries: 'a prompt with a token is recorded by a hook [Z-9]',
    faces: {
      'what a hook reads': (scene) => {
        for (const { masked } of Object.values(SECRET_EXAMPLES))
          for (const text of masked) {
            const read = JSON.stringify(readPrompt(`Deploy with ${text.replaceAll('·', '')} to the cluster`));
            assert.doesNotMatch(read, /q8zt3vlm|masked/i, text);
          }
        assert(readPrompt(PROMPT).words.includes('cluster'));
        assertNowhere(scene.home);
      },
      hook: async (scene) => {
        await scene.call(['tool', 'mama_save', 'deploy:login', 'The login cluster is deployed by hand']);
        for (const session of ['a', 'a', 'b']) {
          const stdin = JSON.stringify({
            hook_event_name: 'UserPromptSubmit',
            session_id: session,
            cwd: scene.stranger,
            prompt: PROMPT,
          });
          const { code, stdout, stderr } = await scene.run(['hook', 'claude'], { stdin });
          assert.deepEqual([code, stderr], [0, '']);
          assert(!stdout.includes(NEEDLE));
        }
        assertNowhere(scene.home);
      },
    },
  },
  {
    tries: 'a refused input shows the token in its message or in a log [Z-9]',
    faces: {
      library: async (scene) => {
        const logged: string[] = [];
        const memory = await openMemory({ db: join(scene.home, 'm.db'), log: (line) => logged.push(line) });
        const inputs: [string, object][] = [
          ['mama_save', { topic: `a:${TOKEN}`, decision: 'x' }],
          ['mama_save', { topic: 'a', decision: 'x', [TOKEN]: 1 }],
          ['mama_save', { topic: 'a', decision: 'x', strength: TOKEN }],
          ['memo_save', { fullText: 'x', keywords: [TOKEN] }],
          ['decision_get', { id: TOKEN }],
          ['show', { ref: TOKEN }],
          ['mama_update', { id: TOKEN, outcome: 'failed' }],
          [TOKEN, {}],
        ];
        for (const [name, input] of inputs)
          await assert.rejects(memory.call(name, input), ({ message }: Error) => !message.includes(NEEDLE));
        await memory.close();
        assert(!logged.join('\n').includes(NEEDLE));
        assertNowhere(scene.home);
      },
      'command line': async (scene) => {
        const { code, stdout, stderr } = await scene.run(['tool', 'mama_save', `a:${TOKEN}`, 'x']);
        assert.equal(code, 2);
        assert(!`${stdout}${stderr}`.includes(NEEDLE));
        assertNowhere(scene.home);
      },
    },
  },
  {
    tries: 'a program writes a token as its own name, its author or its session [Z-9]',
    faces: {
      library: async (scene) => {
        const writer = {
          author: `kim ${TOKEN}`,
          client: TOKEN,
          session: TOKEN,
          host: TOKEN,
          conversation: TOKEN,
        };
        const memory = await openMemory({ db: join(scene.home, 'm.db'), writer });
        await memory.mama.save({ topic: 'a:b', decision: 'x' });
        await memory.mem.save({ title: 'a', content: 'b' });
        const authors = await memory.call('list_names', { kind: 'authors' });
        assert(JSON.stringify(authors).includes(`kim ${MARK}`));
        await memory.close();
        assertNowhere(scene.home);
      },
      'command line': async (scene) => {
        const env = { PRECEDENT_AUTHOR: `kim ${TOKEN}` };
        assert.equal((await scene.run(['tool', 'mama_save', 'a:b', 'x'], { env })).code, 0);
        assertNowhere(scene.home);
      },
    },
  },
  {
    tries: 'a token is the name of a workspace, of a token or of who writes with one [Z-9]',
    faces: {
      HTTP: async (scene) => {
        const server = await serving(scene.home);
        try {
          const { body } = await server.api(`${TOKEN}/mama_save`, { topic: 'a:b', decision: 'x' });
          assert.match(JSON.stringify(body), /Expected a workspace of this token/);
          assert(!JSON.stringify([body, server.logged, server.audited]).includes(NEEDLE));
        } finally {
          await server.close();
        }
        assertNowhere(scene.home);
      },
      'command line': async (scene) => {
        for (const command of [
          ['tool', 'mem_save', 'a', 'b', '--workspace', TOKEN],
          ['token', 'add', TOKEN],
          ['token', 'add', 'ci', '--author', TOKEN],
          ['token', 'add', 'ci', '--workspaces', TOKEN],
        ]) {
          const { code, stdout, stderr } = await scene.run(command);
          assert.equal(code, 2, stderr);
          assert.match(stderr, /a secret \(GitHub token\)/);
          assert(!`${stdout}${stderr}`.includes(NEEDLE));
        }
        assertNowhere(scene.home);
      },
    },
  },
  {
    tries: 'a model is sent a token, of a question or of what was kept on purpose [Z-9]',
    faces: {
      library: async (scene) => {
        const sent: string[] = [];
        const embed = async (texts: string[]) => {
          sent.push(...texts);
          return texts.map(() => new Float32Array([1, 0]));
        };
        const memory = await openMemory({ db: join(scene.home, 'm.db'), embedder: { model: 'm', embed } });
        await memory.call('mama_save', { topic: 'a:b', decision: TOKEN }, undefined, undefined, {
          keepsSecrets: true,
        });
        await memory.mama.search({ query: `who has ${TOKEN}` });
        await memory.embed();
        await memory.close();
        assert(sent.some((text) => text.includes(MARK)));
        assert(!sent.join('\n').includes(NEEDLE));
      },
    },
  },
  {
    tries: 'a folder makes setup, doctor or a server start a package of its author [Z-8]',
    faces: {
      'command line': async (scene) => {
        scene.put('package.json', JSON.stringify({ name: 'precedent', bin: { precedent: 'evil' } }));
        scene.put('.git/HEAD', 'ref: refs/heads/main\n');
        for (const path of ['.npmrc', '.yarnrc.yml']) scene.put(path, 'registry=http://127.0.0.1:1/\n');
        const { code, stdout } = await scene.run(['setup', '--project', 'claude', 'cursor', 'codex']);
        assert.equal(code, 0, stdout);
        for (const file of ['.mcp.json', '.cursor/mcp.json', '.codex/config.toml']) {
          const text = readFileSync(join(scene.stranger, file), 'utf8');
          assert.doesNotMatch(text, /npx|precedent-memory/, file);
          assert.match(text, /"precedent"/, file);
        }
        assert.match(stdout.replace(/\s+/g, ' '), /The package is not on npm yet/);
      },
      MCP: async (scene) => {
        scene.put('package.json', JSON.stringify({ name: 'precedent', bin: { precedent: 'evil' } }));
        writeFileSync(join(scene.stranger, 'precedent.cjs'), `require('fs').writeFileSync('evil', '')`);
        const { client } = await scene.connect();
        await client.callTool({ name: 'mama_save', arguments: { topic: 'a:b', decision: 'x' } });
        await client.close();
        assert(!readdirSync(scene.stranger).includes('evil'));
      },
    },
  },
];
