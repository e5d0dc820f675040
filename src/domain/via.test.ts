import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAgent, isProgram, isVia, shownBy, viaOf } from './via.ts';

describe('[V-1] by what something was written', () => {
  for (const [client, via] of [
    ['cli', undefined],
    ['', undefined],
    ['claude-code 2.1.330', 'claude-code'],
    ['claude-code/2.1.330 (cli)', 'claude-code'],
    ['Visual Studio Code 1.104.0', 'Visual Studio Code'],
    ['Mozilla/5.0 (X11; Linux) Chrome/140.0', 'Mozilla'],
    ['import:adr', 'import:adr'],
    ['gpt-5 agent', 'gpt-5 agent'],
    ['codex v0.60', 'codex'],
    ['/1.0', '/1.0'],
    ['token ci: curl/8.5.0', 'token ci: curl'],
  ] as const)
    it(`"${client}" is ${via ?? 'nobody’s name'}`, () => assert.equal(viaOf(client), via));

  it('an agent is neither a person nor an import, and a filter means a part of a name', () => {
    const all = ['cli', 'cli, no terminal', 'page', 'import:adr', 'claude-code 2.1', 'Codex 1', 'library'];
    assert.deepEqual(all.filter(isProgram), ['cli, no terminal', ...all.filter(isAgent)]);
    assert.deepEqual(all.filter(isAgent), ['claude-code 2.1', 'Codex 1', 'library']);
    const by = (wanted: string) => all.filter((client) => isVia(client, wanted));
    assert.deepEqual(by('Agent'), all.filter(isAgent));
    assert.deepEqual(by('codex'), ['Codex 1']);
    assert.deepEqual(by('CLI'), ['cli']);
    assert.deepEqual(by('li'), ['cli, no terminal', 'library'], 'a person at a terminal is nobody’s part');
  });

  it('who and by what stand together', () => {
    assert.equal(shownBy({ author: 'Kim <k@x.y>', via: 'codex' }), 'Kim via codex');
    assert.equal(shownBy({ via: 'codex' }), 'via codex');
    assert.equal(shownBy({}), undefined);
  });
});
