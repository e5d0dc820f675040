/** Products and what they are, `product: kind, kind`: either finds the other. */
export const KINDS = `
# databases and stores
postgresql: relational database, sql database, database ; mysql: relational database, sql database, database
sqlite: embedded database, relational database, database ; sql server: relational database, database
cockroachdb: distributed sql, database ; mongodb: document database, nosql, database
firestore: document database, nosql ; dynamodb: nosql, key-value store, database
cassandra: nosql, wide-column store, database ; redis: cache, in-memory store, key-value store
memcached: cache, in-memory store ; etcd: key-value store ; timescaledb: time series database, postgresql
neo4j: graph database ; pgvector: vector database, embedding, postgresql ; qdrant: vector database
elasticsearch: search engine, full-text search ; opensearch: search engine, full-text search
algolia: search engine, hosted search ; clickhouse: columnar database, olap, analytics database
duckdb: columnar database, embedded database, olap ; bigquery: data warehouse ; snowflake: data warehouse
s3: object storage ; minio: object storage, self-hosted s3 ; rocksdb: embedded database
pgbouncer: connection pooler, postgresql ; firebase: hosted backend, push notification ; ddl: schema change
# data access and migrations
prisma: orm ; sqlalchemy: orm, python ; hibernate: orm, java ; flyway: schema migration
alembic: schema migration, python ; dbt: data transformation, etl ; airflow: workflow engine, scheduler, etl
# messaging and jobs
kafka: event streaming, message broker, event log ; rabbitmq: message broker, message queue
nats: message broker, pubsub ; sqs: message queue ; mqtt: pubsub, iot
celery: job queue, background job, python ; sidekiq: job queue, background job, ruby ; twilio: sms
sendgrid: email ; fcm: push notification ; grpc: rpc, protobuf
# delivery and hosting
docker: container, containerization ; kubernetes: container orchestration ; helm: kubernetes packaging
argocd: gitops, continuous delivery ; istio: service mesh ; terraform: infrastructure as code, provisioning
pulumi: infrastructure as code ; ansible: configuration management, provisioning ; jenkins: ci, build server
github actions: ci ; gitlab ci: ci ; ci: pipeline ; nginx: web server, reverse proxy, load balancer
caddy: web server, reverse proxy ; haproxy: load balancer ; envoy: proxy, service mesh
cloudflare: cdn, dns, waf ; aws: cloud provider, cloud ; gcp: cloud provider, cloud
azure: cloud provider, cloud ; heroku: paas, hosting ; vercel: hosting, frontend hosting
netlify: hosting, static hosting ; launchdarkly: feature flag ; kill switch: feature flag
renovate: dependency update ; dependabot: dependency update ; systemd: process supervisor, init system
# auth and secrets
keycloak: identity provider, sso ; okta: identity provider, sso ; auth0: identity provider, authentication
saml: sso ; openid connect: sso, login ; ldap: directory service, authentication
hashicorp vault: secret manager ; sops: encrypted secrets ; bcrypt: password hashing ; argon2: password hashing
aes: encryption ; lets encrypt: certificate, tls ; passkey: passwordless login ; gdpr: privacy, data protection
pci dss: compliance, card payment ; security group: firewall ; network acl: firewall
# observability
prometheus: metrics, monitoring ; grafana: dashboard, monitoring ; datadog: monitoring, observability
opentelemetry: tracing, metrics, instrumentation ; jaeger: distributed tracing ; sentry: error tracking
pagerduty: on-call, paging, alert ; kibana: log search, dashboard
# languages, runtimes, frameworks
jvm: java ; kotlin: jvm, android ; nodejs: javascript runtime, javascript
typescript: javascript, typed javascript ; spring boot: java framework, java
django: python framework, web framework ; fastapi: python framework, web framework ; rails: ruby, web framework
flutter: mobile framework, dart ; electron: desktop app, desktop framework
# frontend
react: frontend framework, ui library ; vue: frontend framework ; angular: frontend framework
svelte: frontend framework ; nextjs: react, server-side rendering ; webpack: bundler, build tool
vite: bundler, build tool, dev server ; babel: transpiler ; redux: state management
tailwind: css framework, utility classes ; storybook: component catalog ; tinymce: wysiwyg, rich text editor
d3: chart, data visualization ; wcag: accessibility ; crdt: collaborative editing, conflict resolution
webrtc: video call, peer to peer
# testing and code quality
jest: test runner, unit test ; vitest: test runner, unit test ; pytest: test runner, unit test, python
playwright: browser test, e2e ; cypress: browser test, e2e ; selenium: browser test, e2e ; k6: load test
eslint: linter ; ruff: linter, formatter ; prettier: formatter ; mypy: type checker, python
bazel: build system ; gradle: build tool, java ; npm: package manager ; yarn: package manager
# domains
stripe: payment provider, payment, billing ; paypal: payment provider, payment ; jira: issue tracker, ticket
confluence: wiki, documentation ; git: version control ; wordpress: cms ; pytorch: machine learning
`;
