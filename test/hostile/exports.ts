import assert from 'node:assert/strict';
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillFolder, marked } from '../../src/cli/export-folder.ts';
import { sha256 } from '../../src/domain/text/digest.ts';
import { requireNotLedOut } from '../../src/files/led-out.ts';
import type { Attack, Scene } from './scene.ts';

const NOTE = '---\ntitle: db\n---\n\n# db\n';

/** What an export writes for one decision: through the program, and by the function that fills folders. */
function both(prepare: (scene: Scene, folder: string) => void, refused?: RegExp) {
  const check = (scene: Scene, result: string, isRefused: boolean) => {
    assert.equal(isRefused, refused !== undefined, result);
    if (refused) assert.match(result, refused);
    assert.deepEqual(Object.keys(scene.look()), [join(scene.outside, 'precious.txt')]);
  };
  return {
    'command line': async (scene: Scene) => {
      const folder = join(scene.stranger, 'out');
      mkdirSync(folder);
      await scene.call(['tool', 'mama_save', '--topic', 'db', '--decision', 'db', '--reasoning', 'why']);
      prepare(scene, folder);
      const { code, stdout, stderr } = await scene.call(['export', '--format', 'madr', 'out']);
      check(scene, stdout + stderr, code !== 0);
    },
    function: async (scene: Scene) => {
      const folder = join(scene.stranger, 'out');
      mkdirSync(folder);
      prepare(scene, folder);
      const result = await filled(folder, '0001-db.md');
      check(scene, result, result.startsWith('Expected'));
    },
  };
}

async function filled(folder: string, path: string): Promise<string> {
  const fill = async (write: (file: { path: string; text: string }) => void) => write({ path, text: NOTE });
  try {
    return JSON.stringify(await fillFolder(folder, { format: 'madr', fill }));
  } catch (error) {
    return (error as Error).message;
  }
}

const precious = ({ outside }: Scene) => join(outside, 'precious.txt');

/** What a folder tries into which a memory is exported. */
export const exports: Attack[] = [
  {
    tries: 'a list beside the files that names a file outside, with its right hash [Z-4]',
    faces: both((scene, folder) => {
      const hash = sha256(readFileSync(precious(scene), 'utf8'));
      writeFileSync(
        join(folder, '.precedent-export'),
        `${hash}  ../../outside/precious.txt\n${hash}  ${precious(scene)}\n${hash}  ..\\..\\outside\\precious.txt`,
      );
    }),
  },
  {
    tries: 'a list that is a link to a file outside, or to nothing there [Z-4]',
    faces: both((scene, folder) => {
      symlinkSync(precious(scene), join(folder, '.precedent-export'));
    }),
  },
  {
    tries: 'a link to a file outside in the place of an exported file [Z-4]',
    faces: both(
      (scene, folder) => symlinkSync(precious(scene), join(folder, '0001-db.md')),
      /found 0001-db\.md in/,
    ),
  },
  {
    tries: 'a link to nothing outside in the place of an exported file [Z-4]',
    faces: both(
      ({ outside }, folder) => symlinkSync(join(outside, 'new.md'), join(folder, '0001-db.md')),
      /found 0001-db\.md in/,
    ),
  },
  {
    tries: 'a file with the id of a record and no mark, or the mark of another text [Z-4]',
    faces: both(
      (_, folder) =>
        writeFileSync(join(folder, '0001-db.md'), marked(NOTE, 'madr').replace('# db', '# mine')),
      /found 0001-db\.md in/,
    ),
  },
  {
    tries: 'a link to another exported file in the place of one [Z-4]',
    faces: both((_, folder) => {
      writeFileSync(join(folder, 'real.md'), marked(NOTE, 'madr'));
      symlinkSync('real.md', join(folder, '0001-db.md'));
    }, /found 0001-db\.md in/),
  },
  {
    tries: 'a folder in the place of an exported file [Z-4]',
    faces: both((_, folder) => mkdirSync(join(folder, '0001-db.md')), /found 0001-db\.md in/),
  },
  {
    tries: 'the folder in which files are staged as a link outside [Z-4]',
    faces: both(
      ({ outside }, folder) => symlinkSync(outside, join(folder, '.precedent-export.part')),
      /found \.precedent-export\.part in/,
    ),
  },
  {
    tries: 'files of others in the folder in which files are staged [Z-4]',
    faces: both((_, folder) => {
      mkdirSync(join(folder, '.precedent-export.part'));
      writeFileSync(join(folder, '.precedent-export.part', 'theirs.md'), 'theirs');
    }, /found \.precedent-export\.part in/),
  },
  {
    tries:
      'a marked file that is another name of a file outside, to have it removed or written through [Z-4]',
    faces: both((scene, folder) => {
      linkSync(precious(scene), join(folder, '0002-hard.md'));
      writeFileSync(join(folder, '0003-stale.md'), marked(NOTE, 'madr'));
    }),
  },
  {
    tries: 'a folder for the export that is a link out of the repository [Z-4]',
    faces: {
      'command line': async (scene) => {
        mkdirSync(join(scene.stranger, '.git'));
        symlinkSync(scene.outside, join(scene.stranger, 'docs'));
        const ran = await scene.run(['export', '--format', 'madr', join(scene.stranger, 'docs')]);
        assert.equal(ran.code, 2, ran.stderr);
        assert.match(ran.stderr, /found a link out of it, to .*outside/);
      },
      function: ({ stranger, outside }) => {
        symlinkSync(outside, join(stranger, 'docs'));
        assert.throws(() => requireNotLedOut('docs/decisions', stranger), /found a link out of it/);
        requireNotLedOut(join(stranger, 'docs'), stranger);
        mkdirSync(join(stranger, '.git'));
        assert.throws(() => requireNotLedOut(join(stranger, 'docs'), '/'), /found a link out of it/);
        symlinkSync(join(outside, 'nothing'), join(stranger, 'nothing'));
        assert.throws(() => requireNotLedOut('nothing', stranger), /found a link to nothing/);
      },
    },
  },
  {
    tries: 'records that name their files with .., as absolute, or as a device [Z-4]',
    faces: {
      function: async ({ stranger }) => {
        for (const path of [
          '../a.md',
          '/a.md',
          'a/../../b.md',
          'a/b.md',
          'con.md',
          'NUL',
          'a\\b.md',
          'a:b.md',
          'a.',
          '',
        ])
          assert.match(await filled(join(stranger, 'out'), path), /Expected a path inside the folder/, path);
        assert(!existsSync(join(stranger, 'out')));
      },
    },
  },
];
