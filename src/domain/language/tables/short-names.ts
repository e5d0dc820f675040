/** Short names and what they stand for, `short: long, long`: either finds the other. */
export const SHORT_NAMES = `
k8s: kubernetes ; js: javascript ; ts: typescript ; py: python ; golang: go language ; wasm: webassembly
pg: postgresql, postgres ; postgres: postgresql ; mongo: mongodb ; dynamo: dynamodb ; mssql: sql server
gql: graphql ; protobuf: protocol buffers ; otel: opentelemetry ; gha: github actions ; gcp: google cloud
db: database ; orm: object-relational mapping ; fts: full-text search ; cdc: change data capture
wal: write-ahead log ; ttl: time to live ; mq: message queue ; dlq: dead letter queue ; sse: server-sent events
auth: authentication, authorization ; authn: authentication ; authz: authorization ; rbac: role-based access
sso: single sign-on ; oidc: openid connect ; 2fa: two-factor ; mfa: multi-factor ; otp: one-time password
jwt: json web token ; kms: key management ; e2ee: end-to-end encryption ; pii: personal data
csrf: cross-site request forgery ; xss: cross-site scripting ; rpc: remote procedure call
ci: continuous integration ; iac: infrastructure as code ; env: environment ; prod: production ; vm: virtual machine
ha: high availability ; dr: disaster recovery ; config: configuration ; repo: repository ; deps: dependencies
pr: pull request, merge request ; cli: command line ; di: dependency injection ; oom: out of memory
ui: user interface ; ssr: server-side rendering ; spa: single-page app ; pwa: progressive web app
i18n: internationalization, localization ; l10n: localization ; a11y: accessibility ; o11y: observability
e2e: end-to-end test ; slo: service level objective ; adr: decision record ; poc: proof of concept
dst: daylight saving ; llm: language model ; ml: machine learning ; rag: retrieval-augmented generation
stt: speech recognition ; tts: text to speech ; iot: internet of things ; ota: over-the-air
`;
