/**
 * Tools and forms of one kind. A decision takes one of a kind: who takes two has changed the mind, or two places differ.
 * Another spelling follows `=`.
 */
export const KINDS: readonly (readonly (readonly string[])[])[] = [
  'postgresql=postgres mysql=mariadb sqlite mssql oracle mongodb=mongo dynamodb cassandra cockroachdb duckdb firestore',
  'redis=valkey memcached',
  'kafka rabbitmq nats sqs pulsar',
  'elasticsearch opensearch meilisearch typesense solr',
  'rest graphql grpc soap trpc',
  'json yaml toml xml protobuf avro msgpack csv parquet',
  'npm yarn pnpm bun',
  'jest vitest mocha jasmine',
  'playwright cypress selenium puppeteer',
  'react vue svelte angular solid preact',
  'redux zustand mobx recoil jotai',
  'webpack vite rollup esbuild parcel turbopack',
  'express fastify koa hono nestjs',
  'typescript javascript python ruby golang rust java kotlin swift php elixir',
  'aws gcp azure',
  'docker podman',
  'kubernetes=k8s nomad swarm ecs',
  'terraform pulumi ansible cloudformation',
  'nginx caddy haproxy traefik apache',
  'bcrypt argon2 argon2id scrypt pbkdf2',
  'uuid ulid nanoid snowflake',
  'websocket=websockets sse polling webhook=webhooks',
  'cookie=cookies localstorage sessionstorage indexeddb',
  'rebase squash',
  'cents float decimal',
].map((kind) => kind.split(' ').map((names) => names.split('=')));

/** Words that say the contrary of each other, as they begin. */
export const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:allow|permit)/, /^(?:den(?:y|ied|ies)|forbid|refus|prohibit|disallow)/],
  [/^enabl/, /^disabl/],
  [/^always$/, /^never$/],
  [/^before$/, /^after$/],
  [/^includ/, /^exclud/],
  [/^public/, /^private/],
  [/^synchron/, /^asynchron/],
  [/^automatic/, /^(?:manual|by-hand)/],
  [/^(?:least|minimum)$/, /^(?:most|maximum)$/],
  [/^required?$/, /^optional/],
  [/^허용/, /^(?:금지|불허)/],
  [/^켜/, /^(?:끄|끈|꺼)/],
  [/^포함/, /^제외/],
  [/^(?:최대|이하)/, /^(?:최소|이상)/],
  [/^동기/, /^비동기/],
  [/^자동/, /^수동/],
  [/^(?:이전|전에)/, /^(?:이후|후에)/],
  [/^공개/, /^비공개/],
];
