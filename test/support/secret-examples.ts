import type { FormName } from '../../src/domain/text/secret-forms.ts';

/**
 * Of each form texts that hold one such secret, and texts that are left as they are. A `·` is left out of each: without it,
 * whoever looks for secrets in this repository would report these.
 */
export const SECRET_EXAMPLES: Record<FormName, { masked: string[]; left?: string[] }> = {
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
      'ACCA1234567890ABCDEF',
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
  'age key': {
    masked: ['AGE-SECRET-KEY-1·QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE'],
    left: ['AGE-SECRET-KEY-1QQQ…'],
  },
  'Airtable token': {
    masked: ['pat·q8Zt3vLmXw0cRj.0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9'],
  },
  'Alibaba key id': {
    masked: ['LTAI·q8Zt3vLmXw0cRj7KpYhB'],
  },
  'Artifactory token': {
    masked: [
      'AKCp·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmX',
      'cmVmd·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCg',
    ],
  },
  'Atlassian token': {
    masked: [
      'ATATT3·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA',
      'ATCTT3·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA',
    ],
  },
  'AWS Bedrock key': {
    masked: [
      'ABSK·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4Jb',
    ],
  },
  'AWS session token': {
    masked: [
      'aws_session_token=q8Zt3v·LmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
    ],
    left: ['sessionToken: credentials.SessionToken', 'AWS_SESSION_TOKEN=<token>'],
  },
  'Azure key': {
    masked: ['AccountKey=q8Zt3v·LmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzW==;EndpointSuffix=core.windows.net'],
    left: ['AccountKey=<key>;'],
  },
  'Bitbucket token': {
    masked: ['ATBB·q8Zt3vLmXw0cRj7KpYhB2nUe0A1B2C3D'],
  },
  'Brevo key': {
    masked: ['xkeysib-·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9-q8Zt3vLmXw0cRj7K'],
  },
  'Buildkite token': {
    masked: [
      'bkaa_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d',
      'bkua_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d',
    ],
  },
  'Cerebras key': {
    masked: ['csk-·q8t3vmw0cj7ph2ne5sf9i1oxy6zrk4blaudgq8t3vmw0cj7p'],
  },
  'CircleCI token': {
    masked: [
      'CCIPAT_·q8Zt3vLmXw0cRj7KpYhB_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d',
      'CCIPRJ_·q8Zt3vLmXw0cRj7KpYhB_0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d',
    ],
  },
  'ClickHouse key': {
    masked: ['4b1d·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQ'],
  },
  'Clojars token': {
    masked: ['CLOJARS_·q8t3vmw0cj7ph2ne5sf9i1oxy6zrk4blaudgq8t3vmw0cj7ph2ne5sf9i1ox'],
  },
  'Cloudflare token': {
    masked: [
      'cfut_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'cfat_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'cfk_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'v1.0-·0a1b2c3d4e5f60718293a4b5-0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f607182',
      'CLOUDFLARE_API_TOKEN=q8Zt3v·LmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'CLOUDFLARE_API_KEY=0a1b2c·3d4e5f60718293a4b5c6d7e8f90a1b2',
    ],
    left: ['cf_api_token'],
  },
  'Cohere key': {
    masked: ['COHERE_API_KEY=q8Zt3v·LmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6'],
  },
  'Contentful token': {
    masked: ['CFPAT-·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzW'],
  },
  'crates token': {
    masked: ['cio·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9i'],
  },
  'Databricks token': {
    masked: ['dapi·0a1b2c3d4e5f60718293a4b5c6d7e8f9'],
    left: ['dapi_client'],
  },
  'Datadog key': {
    masked: ['DATADOG_API_KEY=0a1b2c·3d4e5f60718293a4b5c6d7e8f9'],
  },
  'DeepSeek key': {
    masked: ['DEEPSEEK_API_KEY=sk-0a1·b2c3d4e5f60718293a4b5c6d7e8f9'],
  },
  'DigitalOcean token': {
    masked: [
      'doo_v1_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9',
      'dop_v1_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9',
      'dor_v1_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9',
    ],
  },
  'Docker token': {
    masked: ['dckr_pat_·q8Zt3vLmXw0cRj7KpYhB2nUe5Ds', 'dckr_oat_·q8Zt3vLmXw0cRj7KpYhB2nUe5Ds'],
  },
  'Doppler token': {
    masked: [
      'dp.pt.·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'dp.ct.·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'dp.sa.·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'dp.scim.·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'dp.st.·prd.q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
    ],
  },
  'Duffel token': {
    masked: ['duffel_live_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzW'],
  },
  'Dynatrace token': {
    masked: [
      'dt0c01.·8Z3LX0R7KYB2U5DGA9T1VQ6M.8Z3LX0R7KYB2U5DGA9T1VQ6MWH4JNEPSCF8Z3LX0R7KYB2U5DGA9T1VQ6MWH4JNE',
    ],
  },
  'EasyPost key': {
    masked: ['EZAK·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaP'],
  },
  'ElevenLabs key': {
    masked: ['sk_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071'],
  },
  'Facebook token': {
    masked: [
      'EAA·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
    ],
  },
  'Figma token': {
    masked: [
      'figd_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV',
      'figo_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV',
      'figor_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV',
      'figu_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV',
    ],
  },
  'Firecrawl key': {
    masked: ['fc-·0a1b2c3d4e5f60718293a4b5c6d7e8f9'],
  },
  'Fly token': {
    masked: [
      'fo1_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzW',
      'fm1a_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'fm1r_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'fm2_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
    ],
    left: ['fo1_…'],
  },
  'Grafana token': {
    masked: ['glsa_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9i_0a1b2c3d', 'glc_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9i'],
  },
  'Groq key': {
    masked: ['gsk_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlE'],
    left: ['gsk_…'],
  },
  'Harness token': {
    masked: [
      'pat.·q8Zt3vLmXw0cRj7KpYhB2n.0a1b2c3d4e5f60718293a4b5.q8Zt3vLmXw0cRj7KpYhB',
      'sat.·q8Zt3vLmXw0cRj7KpYhB2n.0a1b2c3d4e5f60718293a4b5.q8Zt3vLmXw0cRj7KpYhB',
    ],
  },
  'Heroku key': {
    masked: [
      'HRKU-AA·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdC',
      'HEROKU_API_KEY=0a1b2c·3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f',
    ],
  },
  'Hugging Face token': {
    masked: ['hf_·qZtvLmXwcRjKpYhBnUeDsGfAiToVxQyMzW', 'api_org_·qZtvLmXwcRjKpYhBnUeDsGfAiToVxQyMzW'],
    left: ['hf_transfer', 'hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
  },
  'Infracost key': {
    masked: ['ico-·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9i'],
  },
  'LangSmith key': {
    masked: [
      'lsv2_pt_·0a1b2c3d4e5f60718293a4b5c6d7e8f9_0a1b2c3d4e',
      'lsv2_sk_·0a1b2c3d4e5f60718293a4b5c6d7e8f9_0a1b2c3d4e',
    ],
  },
  'Linear token': {
    masked: [
      'lin_api_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'lin_oauth_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
    ],
  },
  'Mailgun key': {
    masked: ['MAILGUN_API_KEY=0a1b2c·3d4e5f60718293a4b5c6d7e8f9'],
  },
  'Mapbox token': {
    masked: ['sk.eyJ·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbN.q8Zt3vLmXw0cRj7KpYhB2n'],
  },
  'Mistral key': {
    masked: ['MISTRAL_API_KEY=q8Zt3v·LmXw0cRj7KpYhB2nUe5DsGfA9i'],
  },
  'MongoDB secret': {
    masked: ['mdb_sa_sk_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6'],
  },
  'Netlify token': {
    masked: ['nfp_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV'],
  },
  'New Relic key': {
    masked: [
      'NRAK-·8Z3LX0R7KYB2U5DGA9T1VQ6MWH4',
      'NRII-·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9i',
      'eu01xx·0a1b2c3d4e5f60718293a4b5c6FFFFNRAL',
    ],
  },
  'Notion token': {
    masked: [
      'ntn_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'secret_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzW',
    ],
    left: ['secret_of_the_deployment_that_nobody_rotates_x'],
  },
  'NVIDIA key': {
    masked: ['nvapi-·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgF'],
  },
  'OnePassword token': {
    masked: [
      'ops_eyJ·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLmXw',
    ],
  },
  'OpenRouter key': {
    masked: ['sk-or-·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9'],
  },
  'OpenShift token': {
    masked: ['sha256~·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzW'],
  },
  'Perplexity key': {
    masked: ['pplx-·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4J'],
  },
  'Pinecone key': {
    masked: ['pcsk_·q8Zt3_q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgF'],
  },
  'PlanetScale token': {
    masked: [
      'pscale_tkn_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9i',
      'pscale_pw_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9i',
      'pscale_oauth_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9i',
    ],
  },
  'PostHog key': {
    masked: [
      'phx_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
      'phs_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6',
    ],
  },
  'Postman key': {
    masked: ['PMAK-·0a1b2c3d4e5f60718293a4b5-0a1b2c3d4e5f60718293a4b5c6d7e8f90a'],
  },
  'Precedent token': {
    masked: ['prec_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzW'],
    left: ['prec_wrong', 'prec_the_name_of_a_function_that_is_quite_long_x'],
  },
  'Prefect key': {
    masked: ['pnu_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV', 'pnb_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oV'],
  },
  'Pulumi token': {
    masked: ['pul-·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d'],
  },
  'PyPI token': {
    masked: ['pypi-Ag·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbN'],
  },
  'ReadMe key': {
    masked: ['rdme_·q8t3vmw0cj7ph2ne5sf9i1oxy6zrk4blaudgq8t3vmw0cj7ph2ne5sf9i1oxy6zrk4blau'],
  },
  'Replicate token': {
    masked: ['r8_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVx'],
  },
  'Resend key': {
    masked: ['re_·q8Zt3vLm_q8Zt3vLmXw0cRj7KpYhB2nUe'],
    left: ['re_password_reset_of_a_user_by_mail_1'],
  },
  'RubyGems key': {
    masked: ['rubygems_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071'],
  },
  'SendGrid key': {
    masked: ['SG.·q8Zt3vLmXw0cRj7KpYhB2n.q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzW'],
    left: ['SG.your_key_id.your_key'],
  },
  'Sentry token': {
    masked: [
      'sntrys_eyJ·q8Zt3vLmXw0cRj7KpYhB_q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzW',
      'sntryu_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9',
    ],
  },
  'Shopify token': {
    masked: [
      'shpat_·0a1b2c3d4e5f60718293a4b5c6d7e8f9',
      'shpca_·0a1b2c3d4e5f60718293a4b5c6d7e8f9',
      'shppa_·0a1b2c3d4e5f60718293a4b5c6d7e8f9',
      'shpss_·0a1b2c3d4e5f60718293a4b5c6d7e8f9',
    ],
  },
  'Sonar token': {
    masked: [
      'sqp_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d',
      'sqa_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d',
      'squ_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d',
    ],
  },
  'Sourcegraph token': {
    masked: ['sgp_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d'],
  },
  'Square token': {
    masked: ['sq0atp-·q8Zt3vLmXw0cRj7KpYhB2n', 'sq0csp-·q8Zt3vLmXw0cRj7KpYhB2n'],
  },
  'Supabase key': {
    masked: ['sbp_·0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d', 'sb_secret_·q8Zt3vLmXw0cRj7KpYhB2n_q8Zt3vLm'],
  },
  'Tailscale key': {
    masked: ['tskey-auth-·q8Zt3vLm-q8Zt3vLmXw0cRj7KpYhB2nUe'],
  },
  'Tavily key': {
    masked: ['tvly-·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9i'],
  },
  'Twilio key': {
    masked: [
      'SK·0a1b2c3d4e5f60718293a4b5c6d7e8f9',
      'AC·0a1b2c3d4e5f60718293a4b5c6d7e8f9',
      'TWILIO_AUTH_TOKEN=0a1b2c·3d4e5f60718293a4b5c6d7e8f9',
    ],
    left: ['ACxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', 'TWILIO_AUTH_TOKEN=your_auth_token'],
  },
  'Typeform token': {
    masked: ['tfp_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWr'],
  },
  'Vault token': {
    masked: [
      'hvs.·q8Zt3vLmXw0cRj7KpYhB2nUe',
      'hvb.·q8Zt3vLmXw0cRj7KpYhB2nUe',
      'hvr.·q8Zt3vLmXw0cRj7KpYhB2nUe',
      'VAULT_TOKEN=s.q8Zt·3vLmXw0cRj7KpYhB2nUe',
    ],
  },
  'Vercel token': {
    masked: [
      'vcp_·q8Zt3vLmXw0cRj7KpYhB2nUe',
      'vci_·q8Zt3vLmXw0cRj7KpYhB2nUe',
      'vca_·q8Zt3vLmXw0cRj7KpYhB2nUe',
      'vcr_·q8Zt3vLmXw0cRj7KpYhB2nUe',
      'vercel_blob_rw_·q8Zt3vLmXw0cRj7K_q8Zt3vLmXw0cRj7KpYhB2nUe5DsG',
      'VERCEL_TOKEN=q8Zt3v·LmXw0cRj7KpYhB2nUe',
    ],
    left: ['VERCEL_TOKEN=abcdefghijklmnopqrstuvwx'],
  },
  'webhook secret': {
    masked: ['whsec_·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9i'],
  },
  'xAI key': {
    masked: ['xai-·q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgF'],
  },
  'Telegram token': {
    masked: ['https://api.telegram.org/bot1234567890:·AAq8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT/getMe'],
    left: ['at 1234567890:AAA of the log'],
  },
  'Discord token': {
    masked: ['NzgzOTE3MDg2NzQxNDk5NjMw.·q8Zt3v.q8Zt3vLmXw0cRj7KpYhB2nUe5DsG'],
    left: ['MainViewController.delegate.thatIsCalledWhenTheViewLoads'],
  },
  'Discord webhook': {
    masked: [
      'https://discord.com/api/webhooks/7839170·86741499630/q8Zt3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1oVxQy6MzWrHk4JbNlEaPuSdCgFq8Zt3vLm',
    ],
    left: ['https://discord.com/api/webhooks/783917086741499630/<token>'],
  },
  'Azure client secret': {
    masked: ['q8Z·8Q~t3vLmXw0cRj7KpYhB2nUe5DsGfA9iT1o'],
    left: ['v1.8Q~ is a version'],
  },
  credentials: {
    masked: [
      'Authorization: Basic a2lt·OnE4WnQzdkxt',
      '-H "authorization: basic a2lt·OnE4WnQzdkxt"',
      '{"Authorization":"Basic a2lt·OnE4WnQzdkxt"}',
    ],
    left: [
      'Authorization: Basic dXNlcjpwYXNzd29yZA==',
      'Authorization: Basic <credentials>',
      'Authorization: Basic authentication',
    ],
  },
  'bearer token': {
    masked: [
      'Authorization: Bearer q8Zt3v·LmXw0cRj7KpYhB2nUe5D',
      'curl -H "Authorization: Bearer q8Zt3v·LmXw0cRj7KpYhB2nUe5D" https://a.dev',
      "headers: { Authorization: 'Bearer q8Zt3v·LmXw0cRj7KpYhB2nUe5D' }",
      'Proxy-Authorization: Token q8Zt3v·LmXw0cRj7KpYhB2nUe5D',
      'Authorization: SSWS 00q8Zt3v·LmXw0cRj7KpYhB2nUe5D',
    ],
    left: [
      'Authorization: Bearer <token>',
      'Authorization: Bearer $TOKEN_OF_THE_DEPLOYMENT_1',
      'Authorization: Bearer mF_9.B5f-4.1JqM',
      'Authorization: Bearer my-own-token-of-the-tests-1',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a program reads it so.
      'headers: { Authorization: `Bearer ${process.env.TOKEN_2}` }',
      'Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
      'The bearer of q8Zt3vLmXw0cRj7KpYhB2nUe5D',
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
      'PASSWORD=q8Zt3vLm',
      'export DB_PASSWORD="q8Zt·3vLm"',
      'environment:\n  POSTGRES_PASSWORD: q8Zt·3vLm\n  PORT: 1',
      '{"dbPassword": "q8Zt·3vLm"}',
      'Server=db;User Id=sa;Password=q8Zt·3vLm;Encrypt=yes',
      'mysqldump --password=q8Zt·3vLm shop',
      'https://a.dev/login?user=kim&password=q8Zt·3vLm&next=1',
      "passwd: 'q8Zt·3vLm',",
      'curl -s -u kim:q8Zt·3vLm https://a.dev',
      'smtp:\n  user: kim\n  password: q8Zt·3vLm\n  port: 25',
      'createuser --password q8Zt·3vLm kim',
      "mysql -h db -u kim -p'q8Zt·3vLm' shop",
      'mysqldump -pq8Zt·3vLm shop',
      'docker login -u kim -p q8Zt·3vLm registry.acme.dev',
      'sshpass -p q8Zt·3vLm ssh kim@a.dev',
      'redis-cli -h cache -a q8Zt·3vLm ping',
      'machine a.dev login kim password q8Zt·3vLm',
      'curl -X POST --user "kim:q8Zt·3vLm" https://a.dev',
    ],
    left: [
      'PASSWORD= is required',
      'PASSWORD=$DB_PASSWORD',
      'PASSWORD=changeme1',
      'PASSWORD=secret',
      'PASSWORD=/run/secrets/db_password1',
      'DB_PASSWORD=op://vault/db/password1',
      'password=os.environ["DB_PASSWORD_1"]',
      'password: settings.db.password2,',
      'password: string; passwordHash: string',
      'password: SCRAM-SHA-256',
      '"password": "비밀번호를 입력하세요"',
      '"password": "Kennwort"',
      'PWD=/home/kim/shop1',
      'WHERE password = $1 AND email = $2',
      'curl -u "$USER:$PASS" https://a.dev',
      'curl -u <user>:<password1> https://a.dev',
      'curl -u user:pass123 https://a.dev',
      'login:\n  password: required\n  port: 25',
      'docker login --password-stdin',
      'docker login -u kim -p "$TOKEN" registry.acme.dev',
      'createuser --password $PASSWORD_1 kim',
      'mysql -h db -P 3306 -p shop1 < dump.sql',
      'mkdir -p src/login2',
      'the login form password field2 is masked',
      'docker run -u 1000:100000 alpine',
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
