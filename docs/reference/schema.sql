-- The schema of a memory in a SQLite file, as a new file has it.
-- Made from the migrations by `npm run reference`; `npm run check` fails when it is stale.
--
-- Every record of any kind has one row in records; its seq orders all kinds and is its document in the text index.
-- Times are milliseconds UTC, flags are 0 or 1. Documents write the names in camel case.
--
-- PostgreSQL differs (schema-postgres.sql): numbers are bigint and identity columns, texts compare by their bytes
-- (collate "C"), a vector is real[], and the text index is three ordinary tables instead of FTS5's two virtual ones.

create table writers (
  id integer primary key autoincrement,
  author text not null,
  host text not null,
  client text not null,
  session text not null
);

create index writers_session on writers (session, client);

create index writers_author on writers (author);

create table records (
  seq integer primary key autoincrement,
  kind text not null,
  session integer not null references writers (id),
  writer integer not null references writers (id),
  retracted_at bigint,
  uid text
);

create index records_session on records (session, seq, kind, retracted_at);

create index records_retracted on records (seq) where retracted_at is not null;

create unique index records_uid on records (uid) where uid is not null;

create table redactions (
  seq integer primary key references records (seq),
  record_seq integer not null,
  created_at bigint not null
);

create index redactions_date on redactions (created_at, seq);

create table changes (
  seq integer primary key autoincrement,
  record_seq integer,
  kind text not null,
  before text,
  after text,
  created_at bigint not null,
  writer integer not null references writers (id)
);

create index changes_record on changes (record_seq, seq);

create index changes_date on changes (created_at, seq);

create table saves (
  id integer primary key autoincrement,
  writer integer not null references writers (id),
  created_at bigint not null,
  first_record integer,
  last_record integer,
  first_change integer,
  last_change integer,
  undoes integer unique references saves (id)
);

create index saves_date on saves (created_at);

create index saves_record on saves (first_record) where first_record is not null;

create index saves_change on saves (first_change) where first_change is not null;

create table origins (
  source text not null,
  key text not null,
  record_seq integer,
  relation_id integer,
  hash text not null,
  written text not null,
  rest text,
  constraint origins_key primary key (source, key)
);

create index origins_record_seq on origins (record_seq);

create index origins_relation_id on origins (relation_id);

create table vectors (
  seq integer primary key references records (seq) on delete cascade,
  model text not null,
  dimensions integer not null,
  vector blob not null
);

create table meta (
  key text primary key,
  value text not null
);

create table decisions (
  seq integer primary key references records (seq),
  id text not null unique,
  root_id text not null references decisions (id),
  version integer not null,
  previous_version integer,
  previous_version_id text,
  topic text,
  text text not null,
  reasoning text,
  strength text not null,
  scope text not null,
  confidence double precision not null,
  is_active integer not null,
  withdrawn integer not null,
  outcome text,
  outcome_reason text,
  created_at bigint not null,
  updated_at bigint not null,
  revisit text,
  files text,
  based_on text,
  branch text,
  tidies text,
  constraint decisions_version unique (root_id, version),
  constraint decisions_version_id unique (root_id, version, id),
  constraint decisions_first_is_root check ((version = 1) = (root_id = id)),
  constraint decisions_first_has_none check ((version = 1) = (previous_version_id is null)),
  constraint decisions_previous check (version >= 1 and coalesce(previous_version, 0) = version - 1 and (version > 1 or previous_version is null)),
  constraint decisions_previous_version foreign key (root_id, previous_version, previous_version_id) references decisions (root_id, version, id),
  constraint decisions_text check (length(trim(text)) > 0),
  constraint decisions_strength check (strength in ('axis', 'lock', 'normal')),
  constraint decisions_confidence check (confidence between 0 and 1),
  constraint decisions_outcome check (outcome in ('success', 'failed', 'partial')),
  constraint decisions_is_active check (is_active in (0, 1)),
  constraint decisions_withdrawn check (withdrawn in (0, 1) and (withdrawn = 0 or (is_active = 0 and version > 1)))
);

create unique index decisions_one_active on decisions (root_id) where is_active = 1;

create index decisions_tier on decisions (scope, strength, created_at, seq) where is_active = 1;

create index decisions_outcomes on decisions (outcome);

create index decisions_date on decisions (created_at, seq);

create index decisions_revisit on decisions (revisit) where is_active = 1 and revisit is not null;

create index decisions_forked on decisions (root_id) where version > 1 and based_on is distinct from previous_version_id;

create index decisions_tidied on decisions (tidies) where tidies is not null;

create table topics (
  name text primary key,
  key text unique,
  root_id text not null references decisions (id),
  since bigint not null
);

create index topics_root on topics (root_id);

create table scopes (
  name text primary key,
  key text unique,
  scope text not null,
  since bigint not null
);

create table decision_edges (
  from_id text not null references decisions (id),
  to_id text not null references decisions (id),
  relationship text not null,
  created_at bigint not null,
  constraint decision_edges_key primary key (from_id, to_id, relationship),
  constraint decision_edges_relationship check (relationship in ('supersedes', 'builds_on', 'debates', 'synthesizes')),
  constraint decision_edges_not_to_itself check (from_id <> to_id)
);

create index decision_edges_to on decision_edges (to_id);

create table outcomes (
  seq integer primary key references records (seq),
  decision_id text not null references decisions (id),
  outcome text not null,
  reason text,
  created_at bigint not null,
  constraint outcomes_outcome check (outcome in ('success', 'failed', 'partial'))
);

create index outcomes_decision on outcomes (decision_id);

create index outcomes_date on outcomes (created_at, seq);

create table evidence (
  seq integer primary key references records (seq),
  id text not null unique,
  decision_ref text not null references decisions (id),
  content text not null,
  timestamp bigint not null,
  observation_id integer
);

create index evidence_decision on evidence (decision_ref);

create index evidence_observation on evidence (observation_id) where observation_id is not null;

create index evidence_date on evidence (timestamp, seq);

create table anchors (
  seq integer primary key references records (seq),
  id text not null unique,
  hint text not null,
  type text not null,
  decision_ref text references decisions (id),
  evidence_ref text references evidence (id),
  created_at bigint not null,
  constraint anchors_target check ((type = 'decision_link' and decision_ref is not null and evidence_ref is null) or (type = 'evidence_link' and evidence_ref is not null and decision_ref is null))
);

create index anchors_decision on anchors (decision_ref);

create index anchors_evidence on anchors (evidence_ref);

create index anchors_date on anchors (created_at, seq);

create table checkpoints (
  seq integer primary key references records (seq),
  id text not null unique,
  summary text not null,
  next_steps text,
  open_files text not null,
  created_at bigint not null
);

create index checkpoints_date on checkpoints (created_at, seq);

create table observations (
  id integer primary key autoincrement,
  seq integer not null unique references records (seq),
  title text not null,
  content text not null,
  content_hash text not null,
  type text not null,
  project text not null,
  scope text not null,
  topic_key text,
  revision_count integer not null,
  duplicate_count integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  last_seen_at bigint not null,
  deleted_at bigint,
  writer integer not null references writers (id),
  constraint observations_title check (length(trim(title)) > 0),
  constraint observations_counts check (revision_count >= 0 and duplicate_count >= 0)
);

create unique index observations_topic_key on observations (project, scope, topic_key) where deleted_at is null and topic_key is not null;

create index observations_content on observations (content_hash);

create index observations_date on observations (created_at, seq);

create table observation_revisions (
  observation_id integer not null references observations (id) on delete cascade,
  revision integer not null,
  title text not null,
  content text not null,
  type text not null,
  replaced_at bigint not null,
  writer integer not null references writers (id),
  constraint observation_revisions_key primary key (observation_id, revision)
);

create index observation_revisions_date on observation_revisions (replaced_at, observation_id, revision);

create table relations (
  id integer primary key autoincrement,
  from_id integer not null references observations (id) on delete cascade,
  to_id integer not null references observations (id) on delete cascade,
  type text not null,
  note text,
  created_at bigint not null,
  writer integer not null references writers (id),
  uid text,
  constraint relations_once unique (from_id, to_id, type),
  constraint relations_not_to_itself check (from_id <> to_id),
  constraint relations_type check (length(trim(type)) > 0)
);

create index relations_to on relations (to_id, from_id);

create index relations_kind on relations (type);

create unique index relations_uid on relations (uid) where uid is not null;

create table keywords (
  seq integer primary key references records (seq),
  name text not null unique,
  visits integer not null,
  created_at bigint not null,
  last_visited bigint not null,
  constraint keywords_name check (length(trim(name)) > 0),
  constraint keywords_visits check (visits >= 0)
);

create table keyword_relations (
  from_seq integer not null references keywords (seq),
  to_seq integer not null references keywords (seq),
  type text not null,
  times integer not null,
  created_at bigint not null,
  last_at bigint not null,
  constraint keyword_relations_key primary key (from_seq, to_seq, type),
  constraint keyword_relations_type check (type in ('FOLLOWED_BY', 'CO_OCCURS', 'BELONGS_TO')),
  constraint keyword_relations_not_to_itself check (from_seq <> to_seq),
  constraint keyword_relations_one_way check (type <> 'CO_OCCURS' or from_seq < to_seq),
  constraint keyword_relations_times check (times >= 1)
);

create table keyword_connections (
  keyword_seq integer not null references keywords (seq),
  neighbour_seq integer not null references keywords (seq),
  strength integer not null,
  last_at bigint not null,
  constraint keyword_connections_key primary key (keyword_seq, neighbour_seq)
);

create index keyword_connections_strongest on keyword_connections (keyword_seq, strength desc, last_at desc, neighbour_seq);

create table memos (
  seq integer primary key references records (seq),
  id text not null unique,
  summary text not null,
  full_text text not null,
  source text not null,
  search_depth integer not null,
  created_at bigint not null,
  constraint memos_summary check (length(summary) between 1 and 200),
  constraint memos_full_text check (length(full_text) between 1 and 500),
  constraint memos_search_depth check (search_depth >= 0)
);

create index memos_date on memos (created_at, seq);

create table memo_revisions (
  memo_seq integer not null references memos (seq),
  revision integer not null,
  summary text not null,
  full_text text not null,
  replaced_at bigint not null,
  constraint memo_revisions_key primary key (memo_seq, revision),
  constraint memo_revisions_revision check (revision >= 1),
  constraint memo_revisions_summary check (length(summary) between 1 and 200),
  constraint memo_revisions_full_text check (length(full_text) between 1 and 500)
);

create table memo_links (
  memo_seq integer not null references memos (seq),
  keyword_seq integer not null references keywords (seq),
  depth integer not null,
  via_seq integer references keywords (seq),
  created_at bigint not null,
  constraint memo_links_key primary key (memo_seq, keyword_seq),
  constraint memo_links_depth check (depth >= 0 and (depth = 0) = (via_seq is null))
);

create index memo_links_keyword on memo_links (keyword_seq, depth, memo_seq);

create index memo_links_depth on memo_links (depth, memo_seq);

create table conversations (
  session_id text primary key,
  previous_keywords text not null,
  last_memo_seq integer references memos (seq),
  updated_at bigint not null
);

create virtual table search_text using fts5(title, body, tokenize = 'ascii');

create virtual table search_terms using fts5vocab(search_text, 'row');

create table kept_facts (
  format integer not null,
  kind text not null,
  id text not null,
  at bigint not null,
  body text not null,
  constraint kept_facts_key primary key (format, kind, id)
);

create table kysely_migration (
  name varchar(255) not null primary key,
  timestamp varchar(255) not null
);

create table kysely_migration_lock (
  id varchar(255) not null primary key,
  is_locked integer default 0 not null
);
