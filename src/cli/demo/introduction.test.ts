import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { introduction, programOf } from './introduction.ts';

it('[X-4] the commands to try begin with what the person typed, and take a folder with a blank', () => {
  const cached = join('/home', 'kim', '.npm', '_npx', '1a2b', 'node_modules', 'precedent-memory');
  assert.equal(programOf({ npm_command: 'exec' }, cached), `node ${join(cached, 'dist', 'precedent.cjs')}`);
  assert.equal(programOf({ npm_command: 'start' }, '/home/kim/precedent'), 'npx --no-install precedent');
  assert.equal(programOf({}, '/usr/lib/node_modules/precedent-memory'), 'precedent');
  const filled = [{ name: 'narae', about: '', file: '/tmp/my files/narae.db', rows: {} }];
  assert(introduction('', filled, 'precedent').includes('--db "/tmp/my files/narae.db" why'));
});
