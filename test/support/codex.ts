import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { toml } from '../../src/agents/edit/toml.ts';
import { isGroup, valueAt } from '../../src/agents/edit/value.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/codex/app-server.json');
type Hook = { command: string };

/**
 * Stands in for `codex app-server`: it answers as the recorded one did, about the hooks and the trust that really stand in
 * the home of Codex. What it is asked goes into `asked.log` there.
 * @param mood of the server: `old` knows no hooks/list, `dead` ends at once, `stubborn` trusts nobody
 */
export function codexServer(home: string, args: readonly string[], mood = ''): void {
  const recorded = JSON.parse(readFileSync(FIXTURE, 'utf8'));
  appendFileSync(join(home, 'asked.log'), `${args.join(' ')}\n`);
  if (mood === 'dead') process.exit(3);
  const send = (message: object) => void process.stdout.write(`${JSON.stringify(message)}\n`);
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    appendFileSync(join(home, 'asked.log'), `${method} ${JSON.stringify(params)}\n`);
    if (id === undefined) return;
    process.stdout.write('a line that is no message\n');
    send(recorded.notification);
    if (method === 'initialize') send({ id, result: { ...recorded.initialize, codexHome: home } });
    else if (method !== 'hooks/list' || mood === 'old') send({ id, error: recorded.unknownMethod });
    else
      send({
        id,
        result: { data: [{ cwd: params.cwds[0], hooks: hooksIn(home), warnings: [], errors: [] }] },
      });
  });

  function hooksIn(folder: string): object[] {
    const file = join(folder, 'hooks.json');
    const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
      hooks: Record<string, { hooks: Hook[] }[]>;
    };
    const config = toml.read(readFileSync(join(folder, 'config.toml'), 'utf8'));
    return Object.entries(hooks).flatMap(([event, groups]) =>
      groups.flatMap((group, at) =>
        group.hooks.map((hook, place) => {
          const name = event.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase();
          const key = `${file}:${name}:${at}:${place}`;
          const currentHash = `sha256:${createHash('sha256')
            .update(JSON.stringify([event, hook]))
            .digest('hex')}`;
          const state = valueAt(config, ['hooks', 'state', key]);
          const isTrusted = mood !== 'stubborn' && isGroup(state) && state.trusted_hash === currentHash;
          const trustStatus = isTrusted ? 'trusted' : state ? 'modified' : 'untrusted';
          const own = {
            key,
            eventName: event,
            command: hook.command,
            sourcePath: file,
            currentHash,
            trustStatus,
          };
          return { ...recorded.hook, ...own };
        }),
      ),
    );
  }
}
