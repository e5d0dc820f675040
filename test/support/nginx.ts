import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { ROOT } from './program.ts';
import { until } from './until.ts';

const PROGRAM = '/usr/sbin/nginx';
/** Set where there is none. In CI there must be one: there it is looked for in vain, and fails. */
export const NO_NGINX =
  !existsSync(PROGRAM) &&
  !process.env.PRECEDENT_TEST_ALL &&
  'no nginx: on Debian, as root, "apt-get install nginx-light" brings it';

/** How a proxy answered. */
interface Answer {
  status: number;
  retryAfter: string | undefined;
  body: string;
}

/**
 * nginx as deploy/nginx.conf sets it up, but for its places: it listens at a socket in a folder, before servers that
 * listen at sockets, with a certificate made on the spot.
 * @param servers the sockets of two servers
 */
export async function startNginx(folder: string, servers: readonly [string, string]) {
  const inside = (name: string) => join(folder, name);
  const [key, certificate, socket] = ['key.pem', 'certificate.pem', 'nginx.sock'].map(inside) as [
    string,
    string,
    string,
  ];
  const name = ['-subj', '/CN=memory.example', '-addext', 'subjectAltName=DNS:memory.example'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', ...curve, ...name, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  let site = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8');
  for (const [from, to] of [
    ['127.0.0.1:7723', `unix:${servers[0]}`],
    ['127.0.0.1:7724', `unix:${servers[1]}`],
    ['listen 443 ssl', `listen unix:${socket} ssl`],
    ['/etc/ssl/memory.example.pem', certificate],
    ['/etc/ssl/memory.example.key', key],
  ] as const) {
    if (!site.includes(from)) throw new Error(`Expected ${from} in deploy/nginx.conf.`);
    site = site.replace(from, to);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${inside(kind)};`)
    .join(' ');
  const root = process.getuid?.() === 0 ? 'user root;' : '';
  const settings = `daemon off; ${root} worker_processes 1; pid ${inside('pid')}; events {}
    http { access_log off; ${temporary} ${site} }`;
  writeFileSync(inside('nginx.conf'), settings);
  const child = spawn(PROGRAM, ['-e', 'stderr', '-p', folder, '-c', inside('nginx.conf')]);
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(child, 'exit');
  await Promise.race([
    until(() => existsSync(socket)),
    ended.then(() => Promise.reject(new Error(`nginx ended: ${said}`))),
  ]);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const ca = readFileSync(certificate);
  return {
    said: () => said,
    post: (path: string, token: string, body: string) =>
      new Promise<Answer>((resolve, reject) => {
        const asked = request(
          {
            method: 'POST',
            path,
            agent,
            ca,
            socketPath: socket,
            servername: 'memory.example',
            headers: {
              host: 'memory.example',
              authorization: `Bearer ${token}`,
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(body),
            },
          },
          async (response) => {
            const parts = await response.toArray().catch(reject);
            resolve({
              status: response.statusCode ?? 0,
              retryAfter: response.headers['retry-after'],
              body: Buffer.concat(parts ?? []).toString(),
            });
          },
        );
        asked.on('error', reject).end(body);
      }),
    async close() {
      agent.destroy();
      child.kill('SIGTERM');
      await ended;
    },
  };
}
