import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { checked, RULES } from '../src/sync/check.ts';
import { engines, sqlite } from './support/engines.ts';
import { runs } from './support/part.ts';
import { generator } from './support/random.ts';
import { served, shown, step } from './support/synced.ts';
import { type Fact, factsIn, factsOfEveryKind, withWrong, wrongsOf } from './support/wrong-facts.ts';

/** A segment of each kind of fact, as version 1 of the format wrote it: every later version reads it. */
const WRITTEN = join(import.meta.dirname, 'fixtures', 'facts');
const MACHINE = 'm-kim';

const schema = JSON.parse(readFileSync('docs/reference/facts.schema.json', 'utf8'));
const isValid = new Ajv2020({ strictTypes: false }).compile(schema);

function folderFor(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-facts-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A fact as a line has it. */
const asLine = (fact: Fact): unknown => JSON.parse(JSON.stringify(fact));

/** Faults of a fact that a schema cannot say: rules between fields, and of texts that no pattern tells. */
const UNSAID =
  /its id does not match|it leads to itself|follows from the chain|exactly one target|patterns of files|in NFC|"revisit"/;

describe('the format of facts', () => {
  it('[J-6] every fact of a random life is as the published schema says, and every field is in it', async (test) => {
    const folder = folderFor(test);
    const random = generator(runs(1, 1).seed);
    const memory = await sqlite.open();
    for (let done = 0; done < 60; done++) await step(memory, random).catch(() => {});
    await memory.sync(folder);
    const facts = factsIn(folder);
    assert(facts.length > 20);
    for (const fact of facts) {
      assert(isValid(fact), `${JSON.stringify(fact)} ${JSON.stringify(isValid.errors)}`);
      assert('fact' in checked(fact));
      const fields = Object.keys(fact).sort();
      const said = schema.oneOf.find(
        (each: { properties: { k: { const: string } } }) => each.properties.k.const === fact.k,
      );
      assert.deepEqual(fields, ['f', ...Object.keys(said.properties)].sort(), fact.k);
    }
  });

  it('[J-6] a line is valid only if it is taken in; what is refused is invalid, but for rules that the page names', async (test) => {
    const facts = await factsOfEveryKind(folderFor(test));
    let [refused, unsaid] = [0, 0];
    for (const wrong of wrongsOf(facts)) {
      const fact = withWrong(facts[wrong.at] as Fact, wrong);
      if (wrong.field === 'f' || typeof fact.k !== 'string') continue;
      const [line, found] = [asLine(fact), checked({ ...fact })];
      if ('fact' in found) assert(isValid(line), `${JSON.stringify(line).slice(0, 300)} is taken in`);
      else {
        refused++;
        if (!isValid(line)) continue;
        unsaid++;
        assert.match(found.problem, UNSAID, JSON.stringify(line).slice(0, 300));
      }
    }
    assert(refused > 1_000 && unsaid < refused / 4, `${unsaid} of ${refused}`);
  });

  for (const engine of engines)
    it(`[J-6] a folder that version 1 of the format wrote is read, on ${engine.name}`, {
      skip: engine.skip,
    }, async (test) => {
      const folder = folderFor(test);
      cpSync(WRITTEN, folder, { recursive: true });
      assert.deepEqual(new Set(factsIn(folder).map(({ k }) => k)), new Set(Object.keys(RULES)));
      const memory = await engine.open();
      const { warnings, said } = (await memory.sync(folder)) ?? assert.fail();
      assert.deepEqual([warnings, said], [[], 0], 'it knows all of them, and has no other');
      assert.deepEqual((await memory.inspect()).problems, []);
      const texts = JSON.stringify(await shown(memory));
      for (const text of ['석회 벽돌', '서리가 내렸다', '굳었다', '둘째 글', '셋째 글', 'causes'])
        assert(texts.includes(text), text);
    });

  it('[Z-17] a byte that is flipped in a segment of any kind is found, named and stops nothing', async (test) => {
    const random = generator(runs(1, 2).seed);
    for (const file of readdirSync(join(WRITTEN, MACHINE))) {
      const folder = folderFor(test);
      cpSync(WRITTEN, folder, { recursive: true });
      const path = join(folder, MACHINE, file);
      const bytes = readFileSync(path);
      const at = Math.floor((bytes.length - 1) * random());
      bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(8 * random()));
      writeFileSync(path, bytes);
      const memory = await sqlite.openFast();
      const { warnings } = (await memory.sync(folder)) ?? assert.fail();
      assert.equal(warnings.length, 1, `${file} ${at}: ${warnings}`);
      assert.match(warnings.join(), new RegExp(`${file}: it is incomplete or was altered`));
      assert.deepEqual((await memory.inspect()).problems, []);
      await memory.close();
    }
  });

  it('[Z-17] a byte that is flipped on the way to a server is found: it takes nothing in', async (test) => {
    const { at, token, memory } = await served(test, await sqlite.open());
    const sent = gzipSync(
      factsIn(WRITTEN)
        .map((fact) => `${JSON.stringify(fact)}\n`)
        .join(''),
    );
    const headers = { authorization: `Bearer ${token}` };
    const post = (body: Buffer) => fetch(at, { method: 'POST', headers, body: new Uint8Array(body) });
    for (let n = 1; n < 20; n++) {
      const flipped = Buffer.from(sent);
      // Behind the head, whose flags and time mean nothing to a reader.
      const place = 10 + Math.floor(((sent.length - 11) * n) / 20);
      flipped[place] = (flipped[place] as number) ^ 1;
      assert.equal((await post(flipped)).status, 400, `${place}`);
    }
    assert.deepEqual(Object.values((await memory.inspect()).records), []);
    assert.equal((await post(sent)).status, 200);
  });
});
