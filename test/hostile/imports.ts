import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Lines, readHeader } from '../../src/interchange/jsonl/read.ts';
import { readSource } from '../../src/memory/importing.ts';
import { withinProcessorTime } from '../support/clock.ts';
import type { Attack, Scene } from './scene.ts';

const SECRET = 'nobody else may read';
/** What files are full of that want a reader to look at everything again and again. */
const SIGNS = [
  '[',
  '[[a|',
  '![[',
  '![](',
  '<!--',
  '# ',
  '- ',
  '|',
  '`',
  '<a ',
  '---\n',
  '*',
  '_',
  '&',
  '>',
  '{{',
  '\n',
  '\t',
];

/** A source that is read by the program, which only looks, and in this process. @param told what the answer says */
function reads(source: string, prepare: (scene: Scene) => void, told: RegExp): Attack['faces'] {
  const check = (text: string) => {
    assert.match(text.replace(/\s+/g, ' ').replaceAll('": "', '":"').replaceAll(', "', ',"'), told);
    assert(!text.includes(SECRET), text);
  };
  return {
    'command line': async (scene) => {
      prepare(scene);
      const { stdout, stderr } = await scene.run(['import', '--from', source, scene.stranger, '--json']);
      check(stdout + stderr);
      const { stdout: all } = await scene.run(['export', '--format', 'jsonl']);
      assert(!all.includes(SECRET), all);
    },
    function: (scene) => {
      prepare(scene);
      check(inProcess(source, scene));
    },
  };
}

function inProcess(source: string, { stranger, home }: Scene): string {
  try {
    const machine = { home, folder: stranger, platform: process.platform, env: {} };
    return JSON.stringify(readSource(source, stranger, machine, {}));
  } catch (error) {
    return (error as Error).message;
  }
}

const linkOut = ({ stranger, outside }: Scene, name: string, target = 'precious.txt') =>
  symlinkSync(join(outside, target), join(stranger, name));

/** What a folder, an archive or a file tries that is imported. */
export const imports: Attack[] = [
  {
    tries: 'notes that are links out of the vault [Z-4]',
    faces: reads(
      'obsidian',
      (scene) => {
        scene.put('real.md', 'text');
        linkOut(scene, 'secret.md');
        symlinkSync(scene.outside, join(scene.stranger, 'up'));
        symlinkSync('.', join(scene.stranger, 'loop'));
      },
      /"what":"secret.md","why":"a link out of the folder".*"what":"up","why":"a link out of the folder"/,
    ),
  },
  {
    tries: 'notes below a thousand folders, each in the one before [Z-6]',
    faces: reads(
      'obsidian',
      ({ put, stranger }) => {
        put('a.md', 'text');
        const deep = Array(1_000).fill('d').join('/');
        mkdirSync(join(stranger, deep), { recursive: true });
        put(`${deep}/deep.md`, 'text');
      },
      /"why":"a folder below too many others"/,
    ),
  },
  {
    tries: 'a repository whose settings lead its records outside [Z-4]',
    faces: reads(
      'adr',
      (scene) => {
        scene.put('.adr-dir', '../outside');
        scene.put('.log4brains.yml', 'project: {adrFolder: ../outside}');
        scene.put('adr/0001-a.md', '# A\n\nStatus: accepted\n');
        linkOut(scene, 'adr/0002-b.md');
      },
      /"what":"\.\.\/outside","why":"a path out of the folder".*0002-b\.md","why":"a link out of the folder"/,
    ),
  },
  {
    tries: 'instructions of agents that are links out of the project [Z-4]',
    faces: reads(
      'agents',
      (scene) => {
        scene.put('AGENTS.md', '# A\n\ntext @../outside/precious.txt\n');
        linkOut(scene, 'CLAUDE.md');
        mkdirSync(join(scene.stranger, '.claude'));
        symlinkSync(scene.outside, join(scene.stranger, '.claude', 'rules'));
      },
      /"what":"CLAUDE.md","why":"a link out of the folder"/,
    ),
  },
  {
    tries: 'issues of beads that are a link to those of another project [Z-4]',
    faces: reads(
      'beads',
      (scene) => {
        mkdirSync(join(scene.stranger, '.beads'));
        linkOut(scene, '.beads/issues.jsonl');
      },
      /found a link out of it: .*issues\.jsonl leads to/,
    ),
  },
  {
    tries: 'a database whose log is a link, or waits for ever [Z-3]',
    faces: reads(
      'mem0',
      (scene) => {
        const database = join(scene.stranger, 'history.db');
        copyFileSync('test/fixtures/0006-writers-changes-names.db', database);
        execFileSync('mkfifo', [`${database}-journal`]);
        linkOut(scene, 'history.db-wal');
      },
      /none at/,
    ),
  },
  {
    tries: 'a small chunk that unpacks to all memory [Z-6]',
    faces: reads(
      'engram',
      (scene) => void scene.put('.engram/chunks/a.jsonl.gz', gzipSync(Buffer.alloc(80_000_000, 0x20))),
      /unpack to at most 64 MB in all/,
    ),
  },
  {
    tries: 'a chunk that is a link out, beside a list that waits for ever [Z-4]',
    faces: reads(
      'engram',
      (scene) => {
        mkdirSync(join(scene.stranger, '.engram', 'chunks'), { recursive: true });
        linkOut(scene, '.engram/chunks/a.jsonl.gz');
        execFileSync('mkfifo', [join(scene.stranger, '.engram', 'manifest.json')]);
      },
      /found a link out of it/,
    ),
  },
  {
    tries: 'notes with 100,000 levels, aliases of aliases, or endless front matter [Z-6]',
    faces: reads(
      'okf',
      (scene) => {
        const list = (name: string) => `[${Array(9).fill(name).join(',')}]`;
        const bomb = `a: &a ${list('x')}\nb: &b ${list('*a')}\nc: &c ${list('*b')}\nd: ${list('*c')}`;
        for (const [name, front] of [
          ['deep', `a: ${'['.repeat(60_000)}`],
          ['bomb', bomb],
          ['long', 'a: x\n'.repeat(100_000)],
        ])
          scene.put(`${name}.md`, `---\n${front}\n---\n\ntext`);
      },
      /bomb.md: its front matter is no YAML.*nested too deeply.*longer than 64 kB/,
    ),
  },
  {
    tries: 'JSON with 100,000 levels as a memory of another tool [Z-3]',
    faces: {
      'command line': async (scene) => {
        const file = scene.put('memory.jsonl', '{"type":"entity","name":"a","x":'.padEnd(100_000, '['));
        const { code, stderr } = await scene.run(['import', '--from', 'server-memory', file]);
        assert.equal(code, 2, stderr);
      },
      function: (scene) => {
        scene.put('.engram/chunks/a.jsonl.gz', gzipSync(`{"observations":${'['.repeat(100_000)}`));
        assert.match(inProcess('engram', scene), /cannot be read/);
      },
    },
  },
  {
    tries: 'one line of megabytes that opens a level with each sign, as a stream [Z-6]',
    faces: {
      'command line': async (scene) => {
        const { stdout } = await scene.run(['export', '--format', 'jsonl']);
        const [header = ''] = stdout.split('\n');
        const file = scene.put('memory.jsonl', `${header}\n${'['.repeat(10_000_000)}\n`);
        const { code, stderr } = await scene.run(['import', file]);
        assert.equal(code, 2, stderr);
        assert.match(stderr, /Line 2: Expected a JSON object/);
      },
      function: async () => {
        const lines = new Lines(['['.repeat(60_000_000)]);
        await withinProcessorTime(5_000, () =>
          assert.rejects(() => readHeader(lines, '0001'), /Line 1: Expected the header/),
        );
      },
    },
  },
  {
    tries: 'one sign many times, at which a reader takes the square of its time [Z-6]',
    faces: Object.fromEntries(
      ['adr', 'obsidian', 'okf', 'basic-memory', 'agents'].map((source) => [
        source,
        async (scene: Scene) => {
          for (const sign of SIGNS) {
            const name = source === 'agents' ? 'CLAUDE.md' : '0001-a.md';
            writeFileSync(
              join(scene.stranger, name),
              `# A\n\nStatus: accepted\n\n## Decision\n\n${sign.repeat(200_000 / sign.length)}`,
            );
            // A square takes minutes, this some hundredths of a second.
            await withinProcessorTime(5_000, () => inProcess(source, scene), JSON.stringify(sign));
          }
        },
      ]),
    ),
  },
];
