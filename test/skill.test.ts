import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import * as z from 'zod';
import { FIELDS } from '../src/domain/decision.ts';
import { REFERENCES } from '../src/domain/edge.ts';
import { operations } from '../src/operations/index.ts';

const SKILL = readFileSync('skills/precedent/SKILL.md', 'utf8');
const [, head = '', body = ''] = SKILL.match(/^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/) ?? [];
const fields = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));

describe('the skill', () => {
  it('[M-16] has the head that agents read: the name of its folder, and a description that costs little', () => {
    assert.deepEqual(Object.keys(fields), ['name', 'description']);
    assert.equal(fields.name, 'precedent');
    // A colon and a blank would end the text in YAML, and every session holds it.
    assert.doesNotMatch(fields.description, /: |^["'[{]/);
    assert(countTokens(fields.description) <= 60, `${countTokens(fields.description)} tokens`);
    assert.match(fields.description, /why did we choose.*what failed/);
  });

  it('[M-16] names only tools and fields that there are', () => {
    const shapes = JSON.stringify(
      operations.map(({ input, output }) => [z.toJSONSchema(input, { io: 'input' }), z.toJSONSchema(output)]),
    );
    const names = new Set(operations.map(({ name }) => name as string));
    const mentioned = [...body.matchAll(/`([a-z]+_[a-z_]+)(?::[^`]*)?`/g)].map(([, name = '']) => name);
    assert(mentioned.length > 8);
    const links: string[] = [...REFERENCES];
    for (const name of mentioned)
      assert(names.has(name) || shapes.includes(`"${name}":`) || links.includes(name), name);
  });

  it('[M-16] [CO-1] names every link, as the field "reasoning" and the documents do', () => {
    const texts = {
      'skills/precedent/SKILL.md': body,
      'reasoning in FIELDS of src/domain/decision.ts': FIELDS.reasoning.about,
      'docs/domain.md': readFileSync('docs/domain.md', 'utf8'),
      'docs/library.md': readFileSync('docs/library.md', 'utf8'),
    };
    for (const [place, text] of Object.entries(texts))
      for (const link of REFERENCES)
        assert(new RegExp(`\\b${link}\\b`).test(text), `name ${link} in ${place}`);
  });
});
