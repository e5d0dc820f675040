/** Words and phrases that mean nearly the same to an engineer, a group a line; each finds the others. */
export const GROUPS = `
# data stores
db, database, data store, datastore
rdbms, relational database, sql database
tsdb, time series database, timeseries database
dwh, data warehouse
object storage, object store, blob storage, blob store
orm, object-relational mapper, object-relational mapping
schema migration, schema change, database migration
read replica, read-only replica, follower replica
shard, sharding, horizontal partitioning
connection pool, connection pooling, connection pooler
fk, foreign key, referential integrity
pk, primary key
uuid, guid, unique identifier
autoincrement, auto increment, serial id, sequential id
full-text search, fulltext search, fts
fuzzy search, fuzzy matching, typo tolerance
autocomplete, typeahead, search suggestions
txn, transaction
two-phase commit, 2pc
saga, compensating transaction
optimistic locking, optimistic concurrency, version column
soft delete, soft deletion, logical delete, deleted_at
backup, back up, database dump
pitr, point-in-time recovery, point-in-time restore
dr, disaster recovery, business continuity
cdc, change data capture
wal, write-ahead log
ingest, ingestion, data import
upsert, insert or update, on conflict
dedup, dedupe, deduplication, deduplicate
keyset pagination, cursor pagination, cursor-based pagination

# caching
cache invalidation, cache busting, cache purge
cache stampede, thundering herd, dogpile
lru, least recently used
ttl, time to live, expiry, expiration, expire

# messaging and jobs
message queue, mq, message broker, message bus
job queue, task queue, background job, background worker, background task
async, asynchronous, non-blocking
pubsub, pub/sub, publish-subscribe
event-driven, event-driven architecture, eda
cqrs, command query responsibility, command query separation
dlq, dead letter queue, dead letter
idempotent, idempotency, idempotence
backoff, back off, exponential backoff
backpressure, back pressure, flow control
webhook, web hook, http callback
sse, server-sent events, eventsource
real-time, realtime, live updates
push notification, mobile push
sms, text message
email, e-mail, mailer
fifo, in-order delivery, ordered delivery, message ordering
cron, cron job, cronjob, scheduled job, scheduled task, periodic job, recurring job

# apis and networking
rest api, restful, http api
openapi, swagger, api specification
gql, graphql
protobuf, protocol buffers, proto3
rpc, remote procedure call
bff, backend for frontend
lb, load balancer, load balancing
rate limit, rate limiting, rate limiter, throttling, throttle, too many requests
timeout, time out, timed out
serialization, serialize, serialise, marshal, marshalling
semver, semantic versioning
backward compatible, backwards compatible, backward compatibility, non-breaking
breaking change, incompatible change, backward incompatible
deprecate, deprecation, deprecated, phase out
end of life, end of support, unsupported version
sdk, client library
cors, cross-origin, cross-origin requests
cdn, content delivery network, edge cache
dos, ddos, denial of service

# auth, secrets, security
auth, authentication, authn, login, log in, sign in, signin, logon
logout, log out, sign out, signout
signup, sign up, user registration, account creation
authorization, authorisation, authz, access control, permission, permissions
acl, access control list
rbac, role-based access control, role-based access
sso, single sign-on
idp, identity provider
oidc, openid connect, openid
2fa, mfa, two-factor, multi-factor, second factor, two-step verification
otp, totp, one-time password, one-time code
passkey, webauthn, fido2, security key
password, passwd, passphrase
secret, credential, creds
api key, apikey, api token
access token, bearer token
jwt, json web token
secret manager, secrets manager, secret store, secrets management
key rotation, secret rotation, credential rotation, rotate keys, rotate secrets
kms, key management, key management service
e2ee, end-to-end encryption, end-to-end encrypted
tls, ssl, https
mtls, mutual tls, client certificate
cert, certificate, x509
checksum, content hash, file hash
pii, personal data, personally identifiable information, personal information
anonymize, anonymise, anonymization, pseudonymization
redact, redaction, data masking, scrubbing
audit log, audit trail
multi-tenant, multitenant, multi-tenancy, multitenancy, tenant isolation
bastion, jump host, jump box
allowlist, allow list, whitelist
denylist, deny list, blacklist, blocklist
csrf, xsrf, cross-site request forgery
xss, cross-site scripting
sqli, sql injection
ssrf, server-side request forgery
vulnerability, cve, security hole, security flaw
pentest, pen test, penetration test, penetration testing

# delivery and hosting
ci, continuous integration, ci/cd, cicd, ci pipeline, build pipeline
deploy, deployment, rollout, roll out, go live
rollback, roll back, revert, back out
canary, canary release, gradual rollout, staged rollout, phased rollout, progressive delivery
feature flag, feature toggle, feature switch, feature gate
k8s, kubernetes, kube
container image, docker image, oci image
container registry, image registry, docker registry
autoscaling, auto scaling, autoscaler
horizontal scaling, scale out, scale horizontally
vertical scaling, scale up, scale vertically
serverless, faas, cloud functions
self-hosted, self-hosting, on-prem, on-premise, on-premises
managed service, hosted service, fully managed
vm, virtual machine, vps, virtual server
bare metal, dedicated server, physical server
vendor lock-in, lock-in, provider lock-in
ha, high availability, highly available, redundancy, redundant
failover, fail over, switchover
az, availability zone
iac, infrastructure as code
env, environment
env var, environment variable, dotenv
prod, production
staging, preprod, pre-production
local development, dev environment, dev setup, local environment
preview environment, review app, preview deployment, deploy preview
config, configuration, settings
cloud cost, cloud spend, cloud bill, infrastructure cost

# code, builds, repositories
repo, repository, git repository
vcs, version control, source control
monorepo, single repository
polyrepo, multi-repo, multirepo, separate repositories
pr, pull request, merge request
code review, peer review
git hook, commit hook, pre-commit
changelog, change log, release notes
deps, dependency, dependencies, third-party library
version pinning, pinned version, pinning, exact version
upgrade, version bump, dependency update
package registry, package repository, artifact repository
lib, library
codegen, code generation, generated code
boilerplate, scaffold, scaffolding, starter template
linter, lint, linting, static analysis
formatter, code formatting, autoformat, code style
static typing, type checking, type checker, type safety, type hints
cli, command line, command-line interface
plugin, plug-in, add-on, addon
ffi, foreign function interface, native bindings
gc, garbage collection, garbage collector
oom, out of memory, memory exhaustion
di, dependency injection, inversion of control, ioc
state machine, fsm, finite state machine, statechart
ddd, domain-driven design
hexagonal architecture, ports and adapters, onion architecture
refactor, refactoring, restructure
rewrite, reimplement, reimplementation
workaround, stopgap, temporary fix
bug, defect
hotfix, emergency fix, emergency patch
oss, open source, foss
license, licence, licensing
in-house, home-grown, homegrown, roll our own, custom-built
ast, abstract syntax tree, syntax tree
dsl, domain-specific language
scraping, scraper, web scraping, crawler, crawling

# frontend
ui, user interface
ux, user experience, usability
frontend, front end, client-side
backend, back end, server-side
spa, single-page app, single-page application
ssr, server-side rendering, server rendering, server-rendered
ssg, static site generator, static site generation, static site
pwa, progressive web app
offline-first, offline support, local-first, works offline
a11y, accessibility, accessible
i18n, internationalization, internationalisation, localization, localisation, l10n, translation, multilingual
rtl, right-to-left, bidi
dark mode, dark theme, night mode
design system, component library, ui kit
css, stylesheet, styling
wysiwyg, rich text editor, rich text
modal, dialog, popup
dropdown, drop-down, select box, combobox
list virtualization, virtual scrolling, virtualized list
drag and drop, drag-and-drop, dnd
chart, charting, data visualization
tree shaking, dead code elimination
hot reload, hot module replacement, hmr, live reload
seo, search engine optimization
keyboard shortcut, hotkey, keybinding, key binding
product analytics, usage analytics, usage tracking, event tracking
a/b test, ab test, a/b testing, split test, experimentation

# testing
e2e, end-to-end test, end-to-end testing, browser test
load test, load testing, stress test, performance test
mock, stub, test double
snapshot test, golden file, golden test, approval test
visual regression, screenshot test, visual diff
flaky, flaky test, intermittent failure, nondeterministic test
tdd, test-driven development, test first
bdd, behavior-driven, behaviour-driven
qa, quality assurance
uat, acceptance test, user acceptance testing
chaos engineering, chaos testing, fault injection

# observability and operation
observability, o11y, monitoring
distributed tracing, request tracing, trace spans
correlation id, request id, trace id
alert, alarm
on-call, oncall, pager
stack trace, stacktrace, backtrace, traceback
error tracking, error reporting, crash reporting, crash report
slo, service level objective
sla, service level agreement
outage, downtime, unavailability
postmortem, post-mortem, incident review, root cause analysis
runbook, playbook, operations manual
health check, healthcheck, liveness probe, readiness probe
latency, response time, round-trip time
throughput, requests per second, rps, qps
tail latency, p99, p95
perf, performance
debug, debugging, troubleshoot, troubleshooting
maintenance window, planned downtime, scheduled maintenance

# process and decisions
adr, architecture decision record, decision record
design doc, design document, design proposal, rfc
poc, proof of concept, prototype
docs, documentation
issue tracker, bug tracker, ticketing system
release cadence, release cycle, release schedule, release train
reject, rejected, ruled out, decided against, turned down
supersede, superseded, replaced by, overturned
migrate, migration, cutover, cut over
remove, delete
forbidden, prohibited, disallowed, banned
mandatory, required, compulsory

# time, numbers, text
timezone, time zone, tz
utc, gmt, coordinated universal time
dst, daylight saving, daylight saving time
timestamp, datetime, date time
iso 8601, iso8601, rfc 3339, rfc3339
epoch, unix time, unix timestamp, epoch seconds
cents, minor units, integer cents
decimal, fixed-point, bigdecimal
float, floating point, floating-point
bigint, int64, 64-bit integer
null, nil, nullable
regex, regexp, regular expression
utf-8, utf8, unicode, character encoding, charset
line ending, crlf, newline
case-insensitive, ignore case, case folding

# domains
payment gateway, payment provider, payment processor, psp
billing, invoicing, invoice
booking, reservation
cart, shopping cart, shopping basket
coupon, promo code, discount code, voucher
ledger, double-entry, bookkeeping
admin panel, admin ui, back office, backoffice
ecommerce, e-commerce, online shop, web shop
cms, content management system
ml, machine learning
llm, large language model, language model
rag, retrieval-augmented generation
stt, speech to text, speech recognition, transcription
tts, text to speech, speech synthesis
ocr, optical character recognition, text recognition
iot, internet of things, connected device
ota, over-the-air, over-the-air update

# short names of languages and products
js, javascript, ecmascript
ts, typescript
py, python
golang, go language
cpp, c++
csharp, c#
dotnet, .net
nodejs, node.js
wasm, webassembly
postgres, postgresql, pg
mongo, mongodb
mssql, sql server
dynamo, dynamodb
elasticsearch, elastic search
gha, github actions
aws, amazon web services
gcp, google cloud, google cloud platform
otel, opentelemetry
macos, osx, os x
yaml, yml
`;
