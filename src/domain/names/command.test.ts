import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keysOfCommand } from './command.ts';

describe('the names that a command installs, runs or sends', () => {
  it('[RE-5] packages without their versions, with the usual programs', () => {
    for (const [command, name] of [
      ['npm i moment@2.29.4', 'moment'],
      ['cd web && pnpm add -D @scope/name@^1.2', '@scope/name'],
      ['yarn add lodash', 'lodash'],
      ['bun add prisma', 'prisma'],
      ['sudo pip install "celery[redis]==5.3"', 'redis'],
      ['python -m pip install pandas==2.0', 'pandas'],
      ['uv add pymupdf', 'pymupdf'],
      ['poetry add celery', 'celery'],
      ['cargo add openssl --features vendored', 'openssl'],
      ['go get github.com/segmentio/kafka-go@v0.4', 'kafka'],
      ['apt-get install -y imagemagick', 'imagemagick'],
      ['brew install redis', 'redis'],
      ['gem install sidekiq -v 7.0', 'sidekiq'],
      ['npx prisma@5 migrate dev', 'prisma'],
      ['docker run -d redis:7', 'redis'],
      ['npx @scope/name@1.2 init', '@scope/name'],
      ['go get gorm.io/gorm@v1.25.7', 'gorm'],
      ['npx -y nx affected', 'nx'],
      ['uv add pymupdf  # AGPL-3.0, for the statements', 'agpl'],
    ] as const) {
      const { keys } = keysOfCommand(command);
      assert.ok(keys.has(name) || keys.has(`pkg:${name}`), `${name} in ${[...keys]} of ${command}`);
    }
  });

  it('[RE-5] what a program is told, its options, and SQL', () => {
    for (const [command, name] of [
      ['kubectl -n prod scale deploy/api --replicas=6', 'kubectl scale'],
      ['terraform -chdir=infra state rm aws_s3_bucket.x', 'terraform state'],
      ['git push --force origin main', '--force'],
      ['psql "$URL" -c "UPDATE meter_readings SET v = 1; DROP TABLE x"', 'update meter_readings'],
      ['psql "$URL" -c "SELECT 1; DROP TABLE x"', 'drop table'],
      ['psql <<EOF\nALTER TABLE t DROP COLUMN c;\nEOF', 'drop column'],
    ] as const)
      assert.ok(keysOfCommand(command).keys.has(name), `${name} of ${command}`);
    const { keys } = keysOfCommand('psql -c "SELECT * FROM meter_readings"');
    assert.ok(keys.has('select *') && !keys.has('meter_readings'), 'a table that is only read');
  });

  it('[RE-5] the program itself, also where it installs or is started by another', () => {
    for (const [command, name] of [
      ['pnpm add left-pad', 'pnpm'],
      ['poetry add celery', 'poetry'],
      ['sudo rm -r build', 'sudo'],
      ['npx jest', 'npx'],
    ] as const)
      assert.ok(keysOfCommand(command).programs.has(name), `${name} of ${command}`);
  });

  it('[RE-5] options of git behind a message, and those that have a letter', () => {
    for (const [command, name] of [
      ['git commit -m "work --force" --no-verify', '--no-verify'],
      ['git commit --amend -m x', '--amend'],
      ['git push -f origin main', '--force'],
      ['rm -fr data', 'rm -rf'],
      ['git add -A && git status', 'git add -A'],
      ['aws s3 rm s3://lake/x --recursive', 'aws s3 rm'],
      ['redis-cli -h staging flushdb', 'flushdb'],
    ] as const)
      assert.ok(keysOfCommand(command).keys.has(name), `${name} of ${command}`);
    assert.ok(!keysOfCommand('git commit -m "work --force"').keys.has('--force'));
    assert.ok(!keysOfCommand('grep -f patterns a.txt').keys.has('--force'));
  });

  it('[RE-5] looking at something, or a message about it, uses nothing', () => {
    for (const command of [
      'grep -rn kafka src',
      'cat docs/kafka.md | head',
      'git log --grep kafka',
      'git commit -m "remove kafka; prisma too"',
      'echo "npm i kafka"',
      'command -v kafka',
      'ls kafka && cd kafka',
      'npm test -- kafka',
    ]) {
      const { keys } = keysOfCommand(command);
      assert.ok(
        !keys.has('kafka') && !keys.has('prisma') && !keys.has('pkg:kafka'),
        `${[...keys]} of ${command}`,
      );
    }
  });
});
