import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Memory, openMemory } from '../src/index.ts';
import { enginesInTurn, optionsOf, sqlite } from './support/engines.ts';
import { git } from './support/machine.ts';
import { isTried, ONE_OF } from './support/part.ts';
import { workbench } from './support/program.ts';
import { serving } from './support/serving.ts';
import { namesIn, shown } from './support/synced.ts';

/** Points all over a sync at which it is killed, and its last steps, in which it says what is new. */
const POINTS = 16;
const LAST = 8;
/** What is said because Kim and Lee renamed one topic and wrote one note. */
const BOTH = /^(Two machines renamed one topic, to "auth:lee" and to "auth:kim"|Note #\d+ was changed here)/;

for (const [index, way] of ['by a folder', 'by a branch', 'by a server', 'whose server is killed'].entries())
  for (const engine of enginesInTurn(index))
    describe(`a sync that is killed, ${way}, on ${engine.name}`, optionsOf(engine), () => {
      it('[Y-1] [Y-4] at whichever statement, file or call of git, loses nothing and has nothing twice: the next one goes through', async (test) => {
        const bench = workbench(test);
        const [here, report] = [join(bench.folder, 'here'), join(bench.folder, 'sent')];
        const isOfServer = way === 'whose server is killed';
        let port = 0;

        /** Gives Kim and Lee, who have met, news for each other, and kills the sync of Kim. @returns whether it was */
        async function isKilled(at: number): Promise<boolean> {
          rmSync(here, { recursive: true, force: true });
          mkdirSync(here);
          const under = { workspace: 'bench', ...engine.place() };
          const aside = (name: string) => ({ db: join(here, `${name}.db`), workspace: under.workspace });
          const [kimAt, serverAt] = isOfServer ? [aside('kim'), under] : [under, aside('server')];
          const remote = join(here, 'remote.git');
          const serve = () =>
            serving(
              here,
              { laptop: { access: 'sync' } },
              { port, source: { open: () => openMemory(serverAt) } },
            );
          let server = way.includes('server') ? await serve() : undefined;
          port ||= server?.port ?? 0;
          if (way === 'by a branch') git(here, 'init', '--quiet', '--bare', remote);
          const where = { 'by a folder': join(here, 'shared'), 'by a branch': `git:${remote}` }[way];
          const sync = (memory: Memory, given?: string) =>
            memory.sync(given, {
              copies: join(here, memory === lee ? 'lee' : 'precedent', 'sync'),
              token: server?.tokens.laptop,
            });
          const save = async (memory: Memory, what: string) => {
            await memory.mama.save({ topic: 'auth', decision: `${what}의 결정`, evidence: [what] });
            await memory.mem.save({ title: what, content: `a note of ${what}`, topic_key: 'k' });
            await memory.rename({ from: 'auth', to: `auth:${what}` });
          };
          await using lee = await openMemory(aside('lee'));
          {
            await using kim = await openMemory(kimAt);
            await kim.mama.save({ topic: 'auth', decision: 'JWT' });
            for (const memory of [kim, lee])
              await sync(memory, where ?? `${server?.url}/api/v1/${under.workspace}/sync`);
            await save(lee, 'lee');
            await sync(lee);
            await save(kim, 'kim');
          }
          const env = {
            PRECEDENT_DB: under.db,
            PRECEDENT_WORKSPACE: under.workspace,
            PRECEDENT_TOKEN: server?.tokens.laptop,
            XDG_DATA_HOME: here,
            NODE_OPTIONS: `--import=${import.meta.resolve('./support/at-statement.js')}`,
            PRECEDENT_TEST_AT_STATEMENT: JSON.stringify({ at, report }),
          };
          let code: number | null;
          if (isOfServer) {
            await server?.close();
            const { child, exited } = bench.start(['serve', '--port', `${port}`], { env });
            let said = '';
            const isThere = new Promise<void>((done) => {
              child.stdout.on('data', (text) => {
                said += text;
                if (said.includes('Stop with')) done();
              });
            });
            await Promise.race([isThere, exited]);
            await using kim = await openMemory(kimAt);
            const synced = kim.sync(undefined, { token: /prec_\S+/.exec(said)?.[0] });
            const problem = await synced.then(
              () => undefined,
              ({ code }) => code,
            );
            child.kill();
            code = await exited;
            // It may have answered, and be killed while it ends.
            if (problem !== undefined) assert.deepEqual([problem, code], ['unavailable', null], `${at}`);
            server = await serve();
          } else {
            const ran = await bench.run(['sync'], { env });
            code = ran.code;
            assert(code === null || code === 0, ran.stderr);
          }
          await using kim = await openMemory(kimAt);
          for (const memory of [lee, kim, lee])
            for (const warning of (await sync(memory))?.warnings ?? []) assert.match(warning, BOTH);
          assert.deepEqual([(await sync(kim))?.said, (await sync(lee))?.said], [0, 0]);
          await server?.close();
          await using there = await openMemory(server ? serverAt : kimAt);
          for (const memory of [kim, there]) {
            assert.deepEqual((await memory.inspect()).problems, []);
            assert.deepEqual(await shown(memory), await shown(lee), `killed at ${at}`);
          }
          const [names, ...others] = await namesIn([kim, there, lee]);
          for (const other of others) assert.deepEqual(other, names, `killed at ${at}`);
          return code === null;
        }

        assert.equal(await isKilled(0), false);
        const all = Number(readFileSync(report, 'utf8'));
        const spread = Array.from({ length: POINTS }, (_, n) => 1 + Math.floor((all * n) / POINTS));
        const last = Array.from({ length: LAST }, (_, n) => all - n);
        let killed = 0;
        const tried = [...spread, ...last].filter((_, n) => isTried(n, ONE_OF));
        for (const at of tried) if (await isKilled(at)) killed++;
        // A server of a database may be sent the same in fewer pieces.
        const least = engine === sqlite ? tried.length : 1;
        assert(killed >= least, `${killed} of ${tried}, of ${all}`);
      });
    });
