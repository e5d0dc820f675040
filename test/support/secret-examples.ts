import type { FormName } from '../../src/domain/text/secret-forms.ts';

/**
 * Of each form texts that hold one such secret, and texts that are left as they are. A `·` is left out of each: without it,
 * whoever looks for secrets in this repository would report these.
 */
export const SECRET_EXAMPLES: Record<FormName, { masked: string[]; left: string[] }> = {
  'private key': {
    masked: [
      '-----BEGIN ·PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ3k7QmPz0vT8xYc1LrWb5nHsUeDfGaKoVtRyM2iXqZ9\n-----END PRIVATE KEY-----',
      '-----BEGIN ·RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B2C3D4E5F60718293A4B5C6D7E8F9\n\nq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt\n3vLmXw0c==\n-----END RSA PRIVATE KEY-----',
      '-----BEGIN ·OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\nQyNTUxOQAAACDz8Kq1\n',
      '-----BEGIN ·PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\nlQOYBGZ3k7QBCADq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4Jb\n=Xy4d\n-----END PGP PRIVATE KEY BLOCK-----',
      '{"private_key":"-----BEGIN ·PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDq8Zt3vLmXw0cR\\n-----END PRIVATE KEY-----\\n"}',
      'key=-----BEGIN%20·EC%20PRIVATE%20KEY-----%0AMHcCAQEEIJ3k7QmPz0vT8xYc1LrWb5nHsUeDfGaKoVtRyM2iXqZ9oAoGCCqGSM49%0A-----END%20EC%20PRIVATE%20KEY-----',
      'PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: ·1\nAAAAIJ3k7QmPz0vT8xYc1LrWb5nHsUeDfGaKoVtRyM2iXqZ9\nPrivate-MAC: 5e0f5f3f6c1e8f0b0f4a3a0f9b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f708192',
    ],
    left: [
      '-----BEGIN ·RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----',
      'A file with -----BEGIN PRIVATE KEY----- in it is refused.',
      '-----BEGIN ·PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj...\n-----END PRIVATE KEY-----',
      '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAJ3k7QmPz0vT8xYc1LrWb5nHsUeDfGaKoVtRyM2iXqZ9=\n-----END PUBLIC KEY-----',
      'A key of PuTTY has Private-Lines: 14 and a Private-MAC.',
    ],
  },
  'AWS secret key': {
    masked: [
      'aws_secret_access_key = q8Zt3vLm/w0cRj7KpYhB2nUe5DsGfA9iT1oV+Qy6',
      '{"SecretAccessKey": "q8Zt3vLm·/w0cRj7KpYhB2nUe5DsGfA9iT1oV+Qy6"}',
      'env:\n  - name: AWS_SECRET_ACCESS_KEY\n    value: "q8Zt3vLm·/w0cRj7KpYhB2nUe5DsGfA9iT1oV+Qy6"',
      'AWS Secret Access Key [None]: q8Zt3vLm·Xw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      '<SecretAccessKey>q8Zt3vLm·Xw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6</SecretAccessKey>',
      'AWS_SECRET_ACCESS_KEY=q8Zt3vLm·%2Fw0cRj7KpYhB2nUe5DsGfA9iT1oV%2BQy6&x=1',
    ],
    left: [
      'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      'aws_secret_access_key=0a1b2c3d4e5f60718293a4b5c6d7e8f901234567',
      'secretAccessKey: settings.AWS_SECRET_ACCESS_KEY_OF_THE_DEPLOYMENT,',
      'sha1 of it: q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
    ],
  },
  'AWS access key id': {
    masked: [
      'AWS_ACCESS_KEY_ID=AKIA·R7QXZ2M5KTYW3HJD',
      '임시 키는 ASIA·R7QXZ2M5KTYW3HJD입니다',
      'id%3DAKIA·R7QXZ2M5KTYW3HJD%26',
    ],
    left: [
      'AKIAIOSFODNN7EXAMPLE',
      'AKIAXXXXXXXXXXXXXXXX',
      'AROAR7QXZ2M5KTYW3HJD',
      'ASIAPACIFICREGIONALS',
      'AKIAR7QXZ2M5KTYW3HJDA',
    ],
  },
  'GitHub token': {
    masked: [
      'ghp_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV',
      'Bearer gho_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV.',
      '{"t":"ghu_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV"}',
      'token%3Dghs_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV%0A',
      '토큰은 ghr_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV입니다',
      'ghp_·q8Zt3vLmXw0cRj7KpY\n  hB2nUe5DsGfA9iT1oV',
      'github_pat_·11ABCDEFG0q8Zt3vLmXw0c_Rj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgF0a1b2c3d4e',
    ],
    left: [
      'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'gho_16C7e42F292c6912E7710c838347Ae178B4a',
      'ghp_tooShort1234',
      'ghp_PersonalAccessToken01245678900000000',
      'xghp_q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV',
      'ghp_max_connections_of_the_pool_in_the_test',
      'github_pat_your_token',
    ],
  },
  'GitLab token': {
    masked: [
      'glpat-·q8Zt3vLmXw0c-j7KpYhB',
      'glpat-·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1o.01.0w1a2b3c4',
      'https://oauth2:gldt-·q8Zt3vLm_w0cRj7KpYhB@gitlab.com/a/b.git',
    ],
    left: [
      'glpat-xxxxxxxxxxxxxxxxxxxx',
      'glpat-your_access_token_here',
      'glrt-shared-runner-for-the-frontend-team',
      'glsl-shader-of-the-water-surface-v2',
    ],
  },
  'Slack token': {
    masked: [
      'xoxb-·123456789012-1234567890123-q8Zt3vLmXw0cRj7KpYhB2nUe',
      'xoxp-·123456789012-123456789012-1234567890123-0a1b2c3d4e5f60718293a4b5c6d7e8f9',
      'xapp-·1-A0123456789-1234567890123-0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9',
      'xoxe.xoxp-·1-Mi0yLTEyMzQ1Njc4OTAxMjMtcThadDN2TG1YdzBjUmo3S3BZaEIy',
    ],
    left: [
      'xoxb-your-token',
      'xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx',
      'xoxo-2026-the-party-of-the-year-with-friends',
    ],
  },
  'Slack webhook': {
    masked: [
      'https://hooks.slack.com/services/T0·123ABCD/B0456EFGH/q8Zt3vLmXw0cRj7KpYhB2nUe',
      'https:\\/\\/hooks.slack.com\\/services\\/T0·123ABCD\\/B0456EFGH\\/q8Zt3vLmXw0cRj7KpYhB2nUe',
      'https://hooks.slack.com/triggers/T0·123ABCD/1234567890123/0a1b2c3d4e5f60718293a4b5c6d7e8f9',
    ],
    left: [
      'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
      'https://hooks.slack.com/services/…',
    ],
  },
  'Stripe key': {
    masked: ['sk_live_·q8Zt3vLmXw0cRj7KpYhB2nUe', 'rk_live_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV'],
    left: [
      'sk_live_xxxxxxxxxxxxxxxxxxxxxxxx',
      'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
      'sk_live_stream_latency',
      'pk_live_·q8Zt3vLmXw0cRj7KpYhB2nUe',
    ],
  },
  'Google API key': {
    masked: ['key=AIza·Syq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT&v=3'],
    left: [
      'AIzaSyYOUR_API_KEY_GOES_HERE_PLEASE_NOW',
      'AIzaShort',
      'AIza·SyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe',
    ],
  },
  'Google OAuth secret': {
    masked: ['"client_secret":"GOCSPX-·q8Zt3vLmXw0cRj7KpYhB2nUe5DsG"'],
    left: ['GOCSPX-your-client-secret-goes-here', 'GOCSPX-…'],
  },
  'Google access token': {
    masked: ['Authorization: Bearer ya29.·a0AfB_q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4Jb'],
    left: ['ya29.<access token>', 'ya29.a-token-of-the-documentation-of-the-client'],
  },
  'npm token': {
    masked: [
      '//packages.example.org/:_authToken=npm_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV',
      '//npm.acme.dev/:_authToken=0a1b2c3d·-4e5f-4071-8293-a4b5c6d7e8f9',
    ],
    left: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: npm reads it so.
      '//packages.example.org/:_authToken=${NPM_TOKEN}',
      'npm_config_global_prefix_and_other_names',
      'npm_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    ],
  },
  'Anthropic key': {
    masked: [
      'sk-ant-api03-·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgF-q8Zt3vLmXw0cRj7KpYhB_nUe5AA',
      'ANTHROPIC_API_KEY="sk-ant-admin01-·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV"',
    ],
    left: [
      'sk-ant-api03-…',
      'sk-ant-api03-your-key-goes-here-and-nowhere',
      'sk-ant-design-token-color-primary-hover',
    ],
  },
  'OpenAI key': {
    masked: [
      'sk-·q8Zt3vLmXw0cRj7KpYhBT3BlbkFJ2nUe5DsGfA9iT1oVxQy6',
      'OPENAI_API_KEY=sk-proj-·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV_xQy6MzW-rHk4JbNlEaPuSdCgFT3BlbkFJq8Zt3vLmXw0cRj7K',
      '```\nsk-svcacct-·q8Zt3vLmXw0cRj7KpYhBT3BlbkFJ2nUe5DsGfA9iT1oVxQy6\n```',
    ],
    left: [
      'sk-…',
      'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'sk-proj-documentation-for-the-new-billing-service-of-2026',
      'sk-0a1b2c3d4e5f60718293a4b5c6d7e8f901234567.js',
      'task-q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4J',
    ],
  },
  'JSON Web Token': {
    masked: [
      'Bearer eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.·eyJzdWIiOiJraW0iLCJleHAiOjE3NjM4ODAwMDB9.q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzW',
      '{\\"jwt\\":\\neyJhbGciOiJIUzI1NiJ9.·eyJzdWIiOiJraW0ifQ.q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzW',
    ],
    left: [
      'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
      'eyJwYWdlIjoyfQ.eyJzb3J0IjoiZGF0ZSJ9.q8Zt3vLmXw0cRj7KpYhB2nUe',
      'eyJhbGciOi... (cut)',
    ],
  },
  password: {
    masked: [
      'postgres://kim:q8Zt3vLm@db.acme.dev:5432/shop',
      'mongodb+srv://app:p@ss·w0rd@cluster0.q8zt3.mongodb.net/shop',
      'redis://:q8Zt3vLm@cache.acme.dev:6379',
      '"url":"amqp:\\/\\/app:q8Zt3vLm@mq.acme.dev\\/"',
      'https://kim:q8Zt%40Lm@git.acme.dev/shop.git',
      'postgres://app:secret@db.acme.dev/shop',
      'next=postgres%3A%2F%2Fkim%3Aq8Zt3vLm%40db.acme.dev%2Fshop',
      'postgres://kim:q8Zt/3vLm@db.acme.dev/shop',
      'mysql://kim:#q8Zt3vLm@db.acme.dev:3306',
      'redis://:q8Zt?3vLm@cache:6379',
    ],
    left: [
      'postgres://postgres:postgres@localhost',
      'postgres://user:password@localhost:5432/db',
      'postgres://user:password@host/db',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell reads it so.
      'https://oauth2:${TOKEN}@gitlab.com/a/b.git',
      'https://host:8080/@scope/package',
      'docker://alpine:3.19@sha256:0a1b2c3d',
      'scheme://[user:passwd@]proxy.server:port',
      'https://u:p@host/',
      'redis://:secret@redis:6379',
      'postgres://postgres:mysecretpassword@db',
      'ratio://3:4@5',
      'postgres://db.acme.dev:5432/shop@replica',
      'postgres://host:PORT/db@replica',
      'mongodb://a.acme.dev:27017,b.acme.dev:27017/shop?user=a@b',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell reads it so.
      'postgres://kim:${PASSWORD#x}@db.acme.dev/shop',
      'https://acme.dev:path/to@2x.png',
      'https://user:<password>@proxy.acme.dev',
      'postgres://kim:***@db.acme.dev/shop',
      'next=postgres%3A%2F%2Fuser%3Apassword%40localhost',
      'next=https%3A%2F%2Facme.dev%3A8080%2F%40scope',
    ],
  },
};
