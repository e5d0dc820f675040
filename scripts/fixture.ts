import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMemory } from '../src/index.ts';

/**
 * Makes the fixture of the present schema, test/fixtures/<newest migration>.db, with a record of every kind. Run it
 * once, when a schema is released; a fixture is never regenerated, since it stands for the files that users have.
 */
const draft = join('test', 'fixtures', 'draft.db');
let now = Date.UTC(2026, 10, 21);
let ids = 0;
const memory = await openMemory({
  db: draft,
  writer: {
    author: 'Kim <kim@example.com>',
    host: 'fixture-host',
    client: 'fixture 1.0',
    session: 'fixture-session',
  },
  clock: () => {
    now += 1000;
    return now;
  },
  newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
});

const jwt = await memory.mama.save({
  topic: 'auth:token',
  decision: 'Keep JWTs in local storage',
  reasoning: 'No server state',
  evidence: ['회의록: 서버 상태를 두지 않기로 함'],
});
await memory.mama.update({ id: jwt.id, outcome: 'failed', reason: 'A script could read them' });
const cookies = await memory.mama.save({
  topic: 'auth:token',
  decision: 'Session cookies, HttpOnly',
  reasoning: `debates: ${jwt.id}`,
  strength: 'lock',
});
const walls = await memory.mama.save({
  topic: 'cad:벽',
  decision: '외벽 200mm, 내벽 150mm',
  reasoning: `builds_on: ${cookies.id}`,
});
await memory.anchor.save({ hint: 'why not JWT', targetRef: jwt.id, type: 'decision_link' });
await memory.anchor.save({ hint: '회의록', targetRef: jwt.evidence?.[0] ?? '', type: 'evidence_link' });
await memory.decision.revise({ id: walls.id, withdrawn: true, reasoning: '도면이 바뀜' });
await memory.mama.save({ type: 'checkpoint', summary: '인증까지 끝냄', open_files: ['src/auth.ts'] });

const skew = await memory.mem.save({ title: '시계 어긋남', content: '토큰이 거절됨', topic_key: 'clock' });
await memory.mem.save({ title: '시계 어긋남', content: '90초 어긋나 토큰이 거절됨', topic_key: 'clock' });
const ntp = await memory.mem.save({ title: 'NTP', content: 'chrony on every host', type: 'config' });
const old = await memory.mem.save({ title: 'ntpd', content: 'no longer used' });
await memory.mem.relate({ from_id: skew.id, to_id: ntp.id, relation_type: 'caused_by', note: '설정' });
await memory.mem.relate({ from_id: ntp.id, to_id: old.id, relation_type: 'replaces', bidirectional: true });
await memory.mem.delete({ id: old.id });
await memory.redact(String(old.id));
await memory.evidence.save({ decisionRef: cookies.id, observationId: skew.id });

await memory.keywords.record({ text: 'Unity에서 셰이더를 컴파일한다', belongsTo: 'game engine' });
await memory.keywords.record({ keywords: ['unity', 'mirror'] });
await memory.memo.save({ fullText: 'Mirror는 NetworkManager 하나로 시작한다', keywords: ['unity'] });
await memory.memo.expand();

const { schema } = await memory.inspect();
await memory.close();
const file = join('test', 'fixtures', `${schema}.db`);
const database = new DatabaseSync(draft);
database.exec(`vacuum into '${file}'`);
database.close();
for (const ending of ['', '-wal', '-shm', '-owner']) rmSync(draft + ending, { force: true });
process.stdout.write(`${file}\n`);
