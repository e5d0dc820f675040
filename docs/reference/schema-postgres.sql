-- The tables of all workspaces on PostgreSQL, oldest migration first, in the schema "precedent" of a database.
-- Made from the migrations by `npm run reference`; `npm run check` fails when it is stale.
--
-- Each table all_X has a view X of the workspace that the setting precedent.workspace names, and a policy of row-level
-- security, forced, that says the same. A workspace is a row of workspaces, one of search_totals, and the row of meta by
-- which writers take turns (key 'writer'); of each of the last thousand writers meta has the mark by which it is found
-- after a lost connection, with the numbers that were given out last (keys 'writer.000…'). What the tables hold: schema.sql.

-- 0016-memory

create table workspaces (
  id integer generated always as identity primary key,
  name text collate "C" not null unique,
  names text[] not null default '{}',
  owner name not null default current_user
);

alter table workspaces enable row level security, force row level security;

create policy seen on workspaces for select using (true);

create policy owned on workspaces using (pg_catalog.pg_has_role( (select r.oid from pg_catalog.pg_roles as r where r.rolname = owner), 'member'));

create function ws() returns integer language plpgsql stable parallel safe as
    $$ begin return pg_catalog.current_setting('precedent.workspace'); end $$;

create function load_numbers() returns void language plpgsql as $$
    declare found json; begin
      execute $q$ select nullif(pg_catalog.split_part(value, '|', 2), '')::json from meta
        where key >= 'writer' and key < 'writer/' order by key desc limit 1 $q$ into found;
      perform pg_catalog.set_config('precedent.writers', coalesce(found ->> 'writers', '0'), true);
perform pg_catalog.set_config('precedent.records', coalesce(found ->> 'records', '0'), true);
perform pg_catalog.set_config('precedent.observations', coalesce(found ->> 'observations', '0'), true);
perform pg_catalog.set_config('precedent.relations', coalesce(found ->> 'relations', '0'), true);
perform pg_catalog.set_config('precedent.changes', coalesce(found ->> 'changes', '0'), true);
perform pg_catalog.set_config('precedent.saves', coalesce(found ->> 'saves', '0'), true);
    end $$;

create function last_number(counted text) returns bigint language plpgsql as $$ begin
    if coalesce(pg_catalog.current_setting('precedent.' || counted, true), '') = '' then perform load_numbers(); end if;
    return pg_catalog.current_setting('precedent.' || counted)::bigint; end $$;

create function next_number(counted text) returns bigint language plpgsql as $$ begin
    return pg_catalog.set_config('precedent.' || counted,
      (pg_catalog.current_setting('precedent.' || counted)::bigint + 1)::text, true)::bigint; end $$;

create function numbers() returns text language plpgsql stable as $$ begin
    return pg_catalog.json_build_object('writers', pg_catalog.current_setting('precedent.writers')::bigint, 'records', pg_catalog.current_setting('precedent.records')::bigint, 'observations', pg_catalog.current_setting('precedent.observations')::bigint, 'relations', pg_catalog.current_setting('precedent.relations')::bigint, 'changes', pg_catalog.current_setting('precedent.changes')::bigint, 'saves', pg_catalog.current_setting('precedent.saves')::bigint)::text; end $$;

create table if not exists kysely_migration (
  name varchar(255) not null primary key,
  timestamp varchar(255) not null
);

create table if not exists kysely_migration_lock (
  id varchar(255) not null primary key,
  is_locked integer default 0 not null
);

create table all_writers (
  workspace integer default ws() not null,
  id bigint default next_number('writers'),
  author text collate "C" not null,
  host text collate "C" not null,
  client text collate "C" not null,
  session text collate "C" not null,
  constraint writers_pkey primary key (workspace, id)
);

create index writers_session on all_writers (workspace, session, client);

create index writers_author on all_writers (workspace, author);

create table all_records (
  workspace integer default ws() not null,
  seq bigint default next_number('records'),
  kind text collate "C" not null,
  session bigint not null,
  writer bigint not null,
  retracted_at bigint,
  uid text collate "C",
  constraint records_pkey primary key (workspace, seq)
);

create index records_session on all_records (workspace, session, seq, kind, retracted_at);

create index records_retracted on all_records (workspace, seq) where retracted_at is not null;

create unique index records_uid on all_records (workspace, uid) where uid is not null;

create table all_redactions (
  workspace integer default ws() not null,
  seq bigint,
  record_seq bigint not null,
  created_at bigint not null,
  constraint redactions_pkey primary key (workspace, seq)
);

create index redactions_date on all_redactions (workspace, created_at, seq);

create table all_changes (
  workspace integer default ws() not null,
  seq bigint default next_number('changes'),
  record_seq bigint,
  kind text collate "C" not null,
  before text collate "C",
  after text collate "C",
  created_at bigint not null,
  writer bigint not null,
  constraint changes_pkey primary key (workspace, seq)
);

create index changes_record on all_changes (workspace, record_seq, seq);

create index changes_date on all_changes (workspace, created_at, seq);

create table all_saves (
  workspace integer default ws() not null,
  id bigint default next_number('saves'),
  writer bigint not null,
  created_at bigint not null,
  first_record bigint,
  last_record bigint,
  first_change bigint,
  last_change bigint,
  undoes bigint,
  constraint saves_pkey primary key (workspace, id),
  constraint saves_undoes_key unique (workspace, undoes)
);

create table all_origins (
  workspace integer default ws() not null,
  source text collate "C" not null,
  key text collate "C" not null,
  record_seq bigint,
  relation_id bigint,
  hash text collate "C" not null,
  written text collate "C" not null,
  rest text collate "C",
  constraint origins_key primary key (workspace, source, key)
);

create index origins_record_seq on all_origins (workspace, record_seq);

create index origins_relation_id on all_origins (workspace, relation_id);

create table all_vectors (
  workspace integer default ws() not null,
  seq bigint,
  model text collate "C" not null,
  dimensions integer not null,
  vector real[] not null,
  constraint vectors_pkey primary key (workspace, seq)
);

create table all_meta (
  workspace integer default ws() not null,
  key text collate "C",
  value text collate "C" not null,
  constraint meta_pkey primary key (workspace, key)
);

create table all_decisions (
  workspace integer default ws() not null,
  seq bigint,
  id text collate "C" not null,
  root_id text collate "C" not null,
  version integer not null,
  previous_version integer,
  previous_version_id text collate "C",
  topic text collate "C",
  text text collate "C" not null,
  reasoning text collate "C",
  strength text collate "C" not null,
  scope text collate "C" not null,
  confidence double precision not null,
  is_active integer not null,
  withdrawn integer not null,
  outcome text collate "C",
  outcome_reason text collate "C",
  created_at bigint not null,
  updated_at bigint not null,
  revisit text collate "C",
  files text collate "C",
  based_on text collate "C",
  constraint decisions_pkey primary key (workspace, seq),
  constraint decisions_id_key unique (workspace, id),
  constraint decisions_version unique (workspace, root_id, version),
  constraint decisions_version_id unique (workspace, root_id, version, id),
  constraint decisions_first_is_root check ((version = 1) = (root_id = id)),
  constraint decisions_first_has_none check ((version = 1) = (previous_version_id is null)),
  constraint decisions_previous check (version >= 1 and coalesce(previous_version, 0) = version - 1 and (version > 1 or previous_version is null)),
  constraint decisions_text check (length(trim(text)) > 0),
  constraint decisions_strength check (strength in ('axis', 'lock', 'normal')),
  constraint decisions_confidence check (confidence between 0 and 1),
  constraint decisions_outcome check (outcome in ('success', 'failed', 'partial')),
  constraint decisions_is_active check (is_active in (0, 1)),
  constraint decisions_withdrawn check (withdrawn in (0, 1) and (withdrawn = 0 or (is_active = 0 and version > 1)))
);

create unique index decisions_one_active on all_decisions (workspace, root_id) where is_active = 1;

create index decisions_tier on all_decisions (workspace, scope, strength, created_at, seq) where is_active = 1;

create index decisions_outcomes on all_decisions (workspace, outcome);

create index decisions_date on all_decisions (workspace, created_at, seq);

create table all_topics (
  workspace integer default ws() not null,
  name text collate "C",
  key text collate "C",
  root_id text collate "C" not null,
  since bigint not null,
  constraint topics_pkey primary key (workspace, name),
  constraint topics_key_key unique (workspace, key)
);

create index topics_root on all_topics (workspace, root_id);

create table all_scopes (
  workspace integer default ws() not null,
  name text collate "C",
  key text collate "C",
  scope text collate "C" not null,
  since bigint not null,
  constraint scopes_pkey primary key (workspace, name),
  constraint scopes_key_key unique (workspace, key)
);

create table all_decision_edges (
  workspace integer default ws() not null,
  from_id text collate "C" not null,
  to_id text collate "C" not null,
  relationship text collate "C" not null,
  created_at bigint not null,
  constraint decision_edges_key primary key (workspace, from_id, to_id, relationship),
  constraint decision_edges_relationship check (relationship in ('supersedes', 'builds_on', 'debates', 'synthesizes')),
  constraint decision_edges_not_to_itself check (from_id <> to_id)
);

create index decision_edges_to on all_decision_edges (workspace, to_id);

create table all_outcomes (
  workspace integer default ws() not null,
  seq bigint,
  decision_id text collate "C" not null,
  outcome text collate "C" not null,
  reason text collate "C",
  created_at bigint not null,
  constraint outcomes_pkey primary key (workspace, seq),
  constraint outcomes_outcome check (outcome in ('success', 'failed', 'partial'))
);

create index outcomes_decision on all_outcomes (workspace, decision_id);

create index outcomes_date on all_outcomes (workspace, created_at, seq);

create table all_evidence (
  workspace integer default ws() not null,
  seq bigint,
  id text collate "C" not null,
  decision_ref text collate "C" not null,
  content text collate "C" not null,
  timestamp bigint not null,
  observation_id bigint,
  constraint evidence_pkey primary key (workspace, seq),
  constraint evidence_id_key unique (workspace, id)
);

create index evidence_decision on all_evidence (workspace, decision_ref);

create index evidence_observation on all_evidence (workspace, observation_id) where observation_id is not null;

create index evidence_date on all_evidence (workspace, timestamp, seq);

create table all_anchors (
  workspace integer default ws() not null,
  seq bigint,
  id text collate "C" not null,
  hint text collate "C" not null,
  type text collate "C" not null,
  decision_ref text collate "C",
  evidence_ref text collate "C",
  created_at bigint not null,
  constraint anchors_pkey primary key (workspace, seq),
  constraint anchors_id_key unique (workspace, id),
  constraint anchors_target check ((type = 'decision_link' and decision_ref is not null and evidence_ref is null) or (type = 'evidence_link' and evidence_ref is not null and decision_ref is null))
);

create index anchors_decision on all_anchors (workspace, decision_ref);

create index anchors_evidence on all_anchors (workspace, evidence_ref);

create index anchors_date on all_anchors (workspace, created_at, seq);

create table all_checkpoints (
  workspace integer default ws() not null,
  seq bigint,
  id text collate "C" not null,
  summary text collate "C" not null,
  next_steps text collate "C",
  open_files text collate "C" not null,
  created_at bigint not null,
  constraint checkpoints_pkey primary key (workspace, seq),
  constraint checkpoints_id_key unique (workspace, id)
);

create index checkpoints_date on all_checkpoints (workspace, created_at, seq);

create table all_observations (
  workspace integer default ws() not null,
  id bigint default next_number('observations'),
  seq bigint not null,
  title text collate "C" not null,
  content text collate "C" not null,
  content_hash text collate "C" not null,
  type text collate "C" not null,
  project text collate "C" not null,
  scope text collate "C" not null,
  topic_key text collate "C",
  revision_count integer not null,
  duplicate_count integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  last_seen_at bigint not null,
  deleted_at bigint,
  writer bigint not null,
  constraint observations_pkey primary key (workspace, id),
  constraint observations_seq_key unique (workspace, seq),
  constraint observations_title check (length(trim(title)) > 0),
  constraint observations_counts check (revision_count >= 0 and duplicate_count >= 0)
);

create unique index observations_topic_key on all_observations (workspace, project, scope, topic_key) where deleted_at is null and topic_key is not null;

create index observations_content on all_observations (workspace, content_hash);

create index observations_date on all_observations (workspace, created_at, seq);

create table all_observation_revisions (
  workspace integer default ws() not null,
  observation_id bigint not null,
  revision integer not null,
  title text collate "C" not null,
  content text collate "C" not null,
  type text collate "C" not null,
  replaced_at bigint not null,
  writer bigint not null,
  constraint observation_revisions_key primary key (workspace, observation_id, revision)
);

create index observation_revisions_date on all_observation_revisions (workspace, replaced_at, observation_id, revision);

create table all_relations (
  workspace integer default ws() not null,
  id bigint default next_number('relations'),
  from_id bigint not null,
  to_id bigint not null,
  type text collate "C" not null,
  note text collate "C",
  created_at bigint not null,
  writer bigint not null,
  uid text collate "C",
  constraint relations_pkey primary key (workspace, id),
  constraint relations_once unique (workspace, from_id, to_id, type),
  constraint relations_not_to_itself check (from_id <> to_id),
  constraint relations_type check (length(trim(type)) > 0)
);

create index relations_to on all_relations (workspace, to_id, from_id);

create index relations_kind on all_relations (workspace, type);

create unique index relations_uid on all_relations (workspace, uid) where uid is not null;

create table all_keywords (
  workspace integer default ws() not null,
  seq bigint,
  name text collate "C" not null,
  visits integer not null,
  created_at bigint not null,
  last_visited bigint not null,
  constraint keywords_pkey primary key (workspace, seq),
  constraint keywords_name_key unique (workspace, name),
  constraint keywords_name check (length(trim(name)) > 0),
  constraint keywords_visits check (visits >= 0)
);

create table all_keyword_relations (
  workspace integer default ws() not null,
  from_seq bigint not null,
  to_seq bigint not null,
  type text collate "C" not null,
  times integer not null,
  created_at bigint not null,
  last_at bigint not null,
  constraint keyword_relations_key primary key (workspace, from_seq, to_seq, type),
  constraint keyword_relations_type check (type in ('FOLLOWED_BY', 'CO_OCCURS', 'BELONGS_TO')),
  constraint keyword_relations_not_to_itself check (from_seq <> to_seq),
  constraint keyword_relations_one_way check (type <> 'CO_OCCURS' or from_seq < to_seq),
  constraint keyword_relations_times check (times >= 1)
);

create table all_keyword_connections (
  workspace integer default ws() not null,
  keyword_seq bigint not null,
  neighbour_seq bigint not null,
  strength integer not null,
  last_at bigint not null,
  constraint keyword_connections_key primary key (workspace, keyword_seq, neighbour_seq)
);

create index keyword_connections_strongest on all_keyword_connections (workspace, keyword_seq, strength desc, last_at desc, neighbour_seq);

create table all_memos (
  workspace integer default ws() not null,
  seq bigint,
  id text collate "C" not null,
  summary text collate "C" not null,
  full_text text collate "C" not null,
  source text collate "C" not null,
  search_depth integer not null,
  created_at bigint not null,
  constraint memos_pkey primary key (workspace, seq),
  constraint memos_id_key unique (workspace, id),
  constraint memos_summary check (length(summary) between 1 and 200),
  constraint memos_full_text check (length(full_text) between 1 and 500),
  constraint memos_search_depth check (search_depth >= 0)
);

create index memos_date on all_memos (workspace, created_at, seq);

create table all_memo_revisions (
  workspace integer default ws() not null,
  memo_seq bigint not null,
  revision integer not null,
  summary text collate "C" not null,
  full_text text collate "C" not null,
  replaced_at bigint not null,
  constraint memo_revisions_key primary key (workspace, memo_seq, revision),
  constraint memo_revisions_revision check (revision >= 1),
  constraint memo_revisions_summary check (length(summary) between 1 and 200),
  constraint memo_revisions_full_text check (length(full_text) between 1 and 500)
);

create table all_memo_links (
  workspace integer default ws() not null,
  memo_seq bigint not null,
  keyword_seq bigint not null,
  depth integer not null,
  via_seq bigint,
  created_at bigint not null,
  constraint memo_links_key primary key (workspace, memo_seq, keyword_seq),
  constraint memo_links_depth check (depth >= 0 and (depth = 0) = (via_seq is null))
);

create index memo_links_keyword on all_memo_links (workspace, keyword_seq, depth, memo_seq);

create index memo_links_depth on all_memo_links (workspace, depth, memo_seq);

create table all_conversations (
  workspace integer default ws() not null,
  session_id text collate "C",
  previous_keywords text collate "C" not null,
  last_memo_seq bigint,
  updated_at bigint not null,
  constraint conversations_pkey primary key (workspace, session_id)
);

create table all_search_documents (
  workspace integer default ws() not null,
  seq bigint,
  length integer not null,
  digest text collate "C" not null,
  constraint search_documents_pkey primary key (workspace, seq)
);

create table all_search_postings (
  workspace integer default ws() not null,
  term text collate "C" not null,
  seq bigint not null,
  weight real not null,
  length integer not null
);

alter table all_search_postings add constraint search_postings_key primary key (workspace, term, seq) include (weight, length);

create index search_postings_document on all_search_postings (workspace, seq);

create table all_search_totals (
  workspace integer default ws() not null,
  id integer check (id = 1),
  documents bigint not null,
  tokens bigint not null,
  constraint search_totals_pkey primary key (workspace, id)
);

-- 0017-revisit

create index decisions_revisit on all_decisions (workspace, revisit) where is_active = 1 and revisit is not null;

-- 0018-branch

alter table all_decisions add column branch text collate "C";

-- 0019-workspaces

-- 0020-chains

drop table if exists all_search_chains;

-- 0021-forks

create index decisions_forked on all_decisions (workspace, root_id) where version > 1 and based_on is distinct from previous_version_id;

-- 0022-own-files

-- 0023-tidies

alter table all_decisions add column tidies text collate "C";

create index decisions_tidied on all_decisions (workspace, tidies) where tidies is not null;

-- 0024-kept-facts

create table all_kept_facts (
  workspace integer default ws() not null,
  format integer not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  at bigint not null,
  body text collate "C" not null,
  constraint kept_facts_key primary key (workspace, format, kind, id)
);

-- 0025-recorded

create index saves_date on all_saves (workspace, created_at);

create index saves_record on all_saves (workspace, first_record) where first_record is not null;

create index saves_change on all_saves (workspace, first_change) where first_change is not null;

alter table all_records no force row level security;

alter table all_writers no force row level security;

alter table all_redactions no force row level security;

alter table all_changes no force row level security;

alter table all_saves no force row level security;

alter table all_vectors no force row level security;

alter table all_decisions no force row level security;

alter table all_topics no force row level security;

alter table all_decision_edges no force row level security;

alter table all_outcomes no force row level security;

alter table all_evidence no force row level security;

alter table all_anchors no force row level security;

alter table all_checkpoints no force row level security;

alter table all_observations no force row level security;

alter table all_observation_revisions no force row level security;

alter table all_relations no force row level security;

alter table all_keywords no force row level security;

alter table all_keyword_relations no force row level security;

alter table all_keyword_connections no force row level security;

alter table all_memos no force row level security;

alter table all_memo_revisions no force row level security;

alter table all_memo_links no force row level security;

alter table all_conversations no force row level security;

alter table all_records add constraint records_session_fkey foreign key (workspace, session) references all_writers (workspace, id);

alter table all_records add constraint records_writer_fkey foreign key (workspace, writer) references all_writers (workspace, id);

alter table all_redactions add constraint redactions_seq_fkey foreign key (workspace, seq) references all_records (workspace, seq);

alter table all_changes add constraint changes_writer_fkey foreign key (workspace, writer) references all_writers (workspace, id);

alter table all_saves add constraint saves_writer_fkey foreign key (workspace, writer) references all_writers (workspace, id);

alter table all_saves add constraint saves_undoes_fkey foreign key (workspace, undoes) references all_saves (workspace, id);

alter table all_vectors add constraint vectors_seq_fkey foreign key (workspace, seq) references all_records (workspace, seq) on delete cascade;

alter table all_decisions add constraint decisions_seq_fkey foreign key (workspace, seq) references all_records (workspace, seq);

alter table all_decisions add constraint decisions_root_id_fkey foreign key (workspace, root_id) references all_decisions (workspace, id);

alter table all_decisions add constraint decisions_previous_version foreign key (workspace, root_id, previous_version, previous_version_id) references all_decisions (workspace, root_id, version, id);

alter table all_topics add constraint topics_root_id_fkey foreign key (workspace, root_id) references all_decisions (workspace, id);

alter table all_decision_edges add constraint decision_edges_from_id_fkey foreign key (workspace, from_id) references all_decisions (workspace, id);

alter table all_decision_edges add constraint decision_edges_to_id_fkey foreign key (workspace, to_id) references all_decisions (workspace, id);

alter table all_outcomes add constraint outcomes_seq_fkey foreign key (workspace, seq) references all_records (workspace, seq);

alter table all_outcomes add constraint outcomes_decision_id_fkey foreign key (workspace, decision_id) references all_decisions (workspace, id);

alter table all_evidence add constraint evidence_seq_fkey foreign key (workspace, seq) references all_records (workspace, seq);

alter table all_evidence add constraint evidence_decision_ref_fkey foreign key (workspace, decision_ref) references all_decisions (workspace, id);

alter table all_anchors add constraint anchors_seq_fkey foreign key (workspace, seq) references all_records (workspace, seq);

alter table all_anchors add constraint anchors_decision_ref_fkey foreign key (workspace, decision_ref) references all_decisions (workspace, id);

alter table all_anchors add constraint anchors_evidence_ref_fkey foreign key (workspace, evidence_ref) references all_evidence (workspace, id);

alter table all_checkpoints add constraint checkpoints_seq_fkey foreign key (workspace, seq) references all_records (workspace, seq);

alter table all_observations add constraint observations_seq_fkey foreign key (workspace, seq) references all_records (workspace, seq);

alter table all_observations add constraint observations_writer_fkey foreign key (workspace, writer) references all_writers (workspace, id);

alter table all_observation_revisions add constraint observation_revisions_observation_id_fkey foreign key (workspace, observation_id) references all_observations (workspace, id) on delete cascade;

alter table all_observation_revisions add constraint observation_revisions_writer_fkey foreign key (workspace, writer) references all_writers (workspace, id);

alter table all_relations add constraint relations_from_id_fkey foreign key (workspace, from_id) references all_observations (workspace, id) on delete cascade;

alter table all_relations add constraint relations_to_id_fkey foreign key (workspace, to_id) references all_observations (workspace, id) on delete cascade;

alter table all_relations add constraint relations_writer_fkey foreign key (workspace, writer) references all_writers (workspace, id);

alter table all_keywords add constraint keywords_seq_fkey foreign key (workspace, seq) references all_records (workspace, seq);

alter table all_keyword_relations add constraint keyword_relations_from_seq_fkey foreign key (workspace, from_seq) references all_keywords (workspace, seq);

alter table all_keyword_relations add constraint keyword_relations_to_seq_fkey foreign key (workspace, to_seq) references all_keywords (workspace, seq);

alter table all_keyword_connections add constraint keyword_connections_keyword_seq_fkey foreign key (workspace, keyword_seq) references all_keywords (workspace, seq);

alter table all_keyword_connections add constraint keyword_connections_neighbour_seq_fkey foreign key (workspace, neighbour_seq) references all_keywords (workspace, seq);

alter table all_memos add constraint memos_seq_fkey foreign key (workspace, seq) references all_records (workspace, seq);

alter table all_memo_revisions add constraint memo_revisions_memo_seq_fkey foreign key (workspace, memo_seq) references all_memos (workspace, seq);

alter table all_memo_links add constraint memo_links_memo_seq_fkey foreign key (workspace, memo_seq) references all_memos (workspace, seq);

alter table all_memo_links add constraint memo_links_keyword_seq_fkey foreign key (workspace, keyword_seq) references all_keywords (workspace, seq);

alter table all_memo_links add constraint memo_links_via_seq_fkey foreign key (workspace, via_seq) references all_keywords (workspace, seq);

alter table all_conversations add constraint conversations_last_memo_seq_fkey foreign key (workspace, last_memo_seq) references all_memos (workspace, seq);

alter table all_records force row level security;

alter table all_writers force row level security;

alter table all_redactions force row level security;

alter table all_changes force row level security;

alter table all_saves force row level security;

alter table all_vectors force row level security;

alter table all_decisions force row level security;

alter table all_topics force row level security;

alter table all_decision_edges force row level security;

alter table all_outcomes force row level security;

alter table all_evidence force row level security;

alter table all_anchors force row level security;

alter table all_checkpoints force row level security;

alter table all_observations force row level security;

alter table all_observation_revisions force row level security;

alter table all_relations force row level security;

alter table all_keywords force row level security;

alter table all_keyword_relations force row level security;

alter table all_keyword_connections force row level security;

alter table all_memos force row level security;

alter table all_memo_revisions force row level security;

alter table all_memo_links force row level security;

alter table all_conversations force row level security;
