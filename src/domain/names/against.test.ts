import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { namesOf } from './against.ts';

const against = (decision: string, reasoning?: string) =>
  namesOf({ decision, reasoning, hasFailed: false }).against;
const ofFailure = (decision: string) => namesOf({ decision, hasFailed: true }).against;

describe('the names that a record is against', () => {
  it('[RE-6] what was rejected, with each of a list and whatever sentence it is in', () => {
    for (const [reasoning, ...names] of [
      ['Types come free. Rejected: Prisma (slow start, heavy), TypeORM.', 'prisma', 'typeorm'],
      ['Rejected: Node, because of its pauses; InfluxDB, no joins.', 'influxdb'],
      ['Instead of MongoDB, which nobody knows.', 'mongodb'],
      ['We chose Postgres over MySQL.', 'mysql'],
      ['Replaces ML Kit: no Play services needed.', 'ml kit'],
      ['Rather than Temporal.', 'Temporal', 'pkg:temporal'],
      ['Prisma cannot express SKIP LOCKED.', 'prisma'],
      ['ECharts도 가능했지만 번들이 900KB 늘어 기각.', 'echarts'],
      ['거절: MongoDB', 'mongodb'],
      ['쿠버네티스는 무겁다. 거절: EKS, 레디스', 'eks', 'redis'],
      ['기각: MongoDB는 조인이 없다; Celery, 느려서', 'mongodb', 'celery'],
      ['기각한 대안: ECharts (번들이 크다)', 'echarts'],
      ['Celery에서 procrastinate로 옮겼다.', 'celery'],
    ] as const) {
      const found = against('Queries are written by hand.', reasoning);
      for (const name of names) assert.ok(found.includes(name), `${name} in ${found} of ${reasoning}`);
    }
  });

  it('[RE-6] nothing where a request or a payment is refused in Korean', () => {
    for (const said of ['결제 거절: Stripe 로그를 본다.', 'Stripe 결제가 거절되면 다시 시도한다.'])
      assert.deepEqual(against(said), [], said);
  });

  it('[RE-6] what is forbidden, in both languages: products, packages, calls, statements, options', () => {
    for (const [decision, ...names] of [
      ['Feature flags are rows; no LaunchDarkly.', 'launchdarkly'],
      ['No cross-platform framework (Flutter, React Native).', 'flutter', 'react native'],
      ['Never use eval() or Math.random() for tokens.', 'eval()', 'math.random()'],
      ['Do not use lodash.', 'lodash', 'pkg:lodash'],
      ['moment is not used.', 'pkg:moment'],
      ['No moment.js, dates use Temporal.', 'moment.js', 'pkg:moment'],
      ['Three.js 금지', 'three.js', 'pkg:three'],
      ['ImageMagick is banned.', 'imagemagick'],
      ['Do not call localStorage.setItem with tokens.', 'localstorage.setitem'],
      ['Nothing under GPL, AGPL or SSPL.', 'gpl', 'agpl', 'sspl'],
      ['Never SELECT * in a query, no DROP COLUMN.', 'select *', 'drop column'],
      ['Rows in meter_readings are never updated or deleted.', 'update meter_readings'],
      ['No kubectl edit, scale or apply on prod.', 'kubectl edit', 'kubectl scale', 'kubectl apply'],
      ['terraform apply and destroy run only in the workflow.', 'terraform apply', 'terraform destroy'],
      ['Never push with --force.', '--force'],
      ['카프카 금지', 'kafka', '카프카'],
      ['레디스를 쓰지 않는다.', 'redis', '레디스'],
      ['lodash 쓰지 말 것', 'lodash'],
      ['Redis 대신 Postgres를 쓴다.', 'redis'],
      ['앱에는 GPL, LGPL 라이브러리를 절대 넣지 않는다.', 'gpl', 'lgpl'],
      ['Use npm; never pnpm.', 'pnpm', 'pkg:pnpm'],
      ['Use uv, not pip.', 'pkg:pip'],
      ['Poetry was replaced by uv.', 'pkg:poetry'],
      ["Targets are in the justfile, so don't run make any more.", 'pkg:make'],
      ['Rejected: Nx for the monorepo.', 'pkg:nx'],
      ['Sidekiq has been taken out of the app.', 'sidekiq'],
      ['black, isort and flake8 all made way for ruff.', 'pkg:black', 'pkg:isort', 'pkg:flake8'],
      ['Running npm publish yourself is out of bounds.', 'npm publish'],
      ['Money must never be a float.', 'float'],
      ['Never use print for logging.', 'print()'],
      ['No force pushes.', '--force'],
      ['Never amend pushed commits.', '--amend'],
      ['Do not use rm -fr.', 'rm -rf'],
      ["Don't silence the compiler with @ts-ignore.", '@ts-ignore'],
      ['Never store the session token in localStorage.', 'localstorage'],
      ['토큰을 localStorage에 저장하지 않는다.', 'localstorage'],
      ['moment 대신 date-fns를 쓴다.', 'pkg:moment'],
      ['TypeScript enum은 쓰지 않는다.', 'enum'],
      ['pickle로 직렬화하지 말 것.', 'pkg:pickle'],
      ['토큰은 Math.random으로 만들면 안 됨.', 'math.random'],
      ['카프카 도입은 보류.', 'kafka'],
      ['에러는 thiserror로 정의하고, anyhow 도입은 기각됨.', 'pkg:anyhow'],
      ['We moved off logrus.', 'pkg:logrus'],
      ['gorm is gone.', 'pkg:gorm'],
      ['requests is legacy in our code.', 'pkg:requests'],
      ['Stop using left-pad.', 'left-pad'],
      ['Sign-in state must not be kept in localStorage.', 'localstorage'],
      ['git add -A is off the table.', 'git add -A'],
      ['No recursive aws s3 rm on the lake.', 'aws s3 rm'],
      ['black, isort 폐기.', 'pkg:black', 'pkg:isort'],
      ['pandas 말고 polars를 쓴다.', 'pandas'],
      ['float/double은 계산 중간값으로도 쓰지 않는다.', 'float', 'double precision'],
    ] as const) {
      const found = against(decision);
      for (const name of names) assert.ok(found.includes(name), `${name} in ${found} of ${decision}`);
    }
  });

  it('[RE-6] the thing that failed, not what stands in for it and not where it was put', () => {
    assert.deepEqual(ofFailure('Use Kafka between MQTT and the store.'), ['kafka', '카프카']);
    assert.deepEqual(ofFailure('Log in with magic links instead of Okta.'), []);
    assert.deepEqual(ofFailure('Start events with node-cron inside the process.'), [
      'node-cron',
      'node cron',
    ]);
    assert.deepEqual(ofFailure('Prisma 대신 Drizzle을 쓴다.'), ['drizzle']);
    assert.deepEqual(ofFailure('세션을 레디스에 보관한다.'), ['redis', '레디스']);
    assert.deepEqual(ofFailure('PRs run the suite with docker compose.'), ['docker compose']);
  });

  it('[RE-6] what a rule forbids that holds although it failed', () => {
    const rule = { decision: 'Use npm; never pnpm.', hasFailed: true };
    assert.ok(namesOf({ ...rule, isRule: true }).against.includes('pnpm'));
    assert.ok(!namesOf(rule).against.includes('pnpm'));
  });

  it('[RE-6] words are no names, nor is what a rule uses or where something must not be', () => {
    for (const decision of [
      'Terraform is applied by the workflow.',
      'Two native apps, Kotlin for Android and Swift for iOS.',
      'Codes are never kept in clear: not in PostgreSQL or Redis.',
      'No releases on Fridays, not even for a small fix.',
      'Mocks are not used in tests of SQL.',
      '로그를 PostgreSQL에 두지 않는다.',
      'Never write SQL in React components.',
      'Do not send events to Redis from tests.',
      'Redis가 죽어도 서비스는 멈추지 않는다.',
    ])
      assert.deepEqual(
        against(decision).filter((name) => !name.startsWith('pkg:')),
        [],
        decision,
      );
  });

  it('[Z-12] no text takes longer than its length', async () => {
    for (const text of [
      'no '.repeat(4_000),
      'Rejected: A, '.repeat(900),
      '모든 은 '.repeat(2_000),
      'a대신 '.repeat(2_000),
      '가'.repeat(8_000),
      '(no ('.repeat(2_000),
      'never store a in '.repeat(500),
      'not with '.repeat(1_000),
    ])
      await withinProcessorTime(400, () => namesOf({ decision: text, reasoning: text, hasFailed: false }));
  });
});
