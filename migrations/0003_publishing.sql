-- Versions and publications are the tenants'; claims, jobs and the activation counter are the installation's.

create table blobs (
  organization_id uuid not null default transaction_organization()
    constraint blob_is_of_an_organization references organizations (id),
  sha256 bytea not null,
  bytes bytea not null,
  constraint blobs_key primary key (organization_id, sha256),
  constraint blob_is_what_its_digest_says check (sha256 = sha256(bytes)),
  constraint blob_is_small_enough check (octet_length(bytes) <= 131072)
);

create table versions (
  organization_id uuid not null default transaction_organization(),
  host text not null,
  number integer not null constraint version_number_is_positive check (number >= 1),
  sha256 bytea not null,
  size integer not null,
  draft_revision integer not null,
  message text not null constraint version_message_has_a_length check (char_length(message) <= 1000),
  author_kind text not null constraint author_kind_is_known check (author_kind in ('user', 'token', 'operator', 'system')),
  author_name text not null,
  report json not null,
  created_at timestamptz not null default now(),
  constraint versions_key primary key (organization_id, host, number),
  constraint version_is_of_a_domain foreign key (organization_id, host) references domains (organization_id, host),
  constraint version_has_its_bytes foreign key (organization_id, sha256) references blobs (organization_id, sha256)
);

create trigger blobs_are_kept before update or delete on blobs
for each row execute function refuse_change();
create trigger blobs_are_not_truncated before truncate on blobs
for each statement execute function refuse_change();
create trigger versions_are_kept before update or delete on versions
for each row execute function refuse_change();
create trigger versions_are_not_truncated before truncate on versions
for each statement execute function refuse_change();

create table publications (
  organization_id uuid not null default transaction_organization(),
  id uuid not null,
  host text not null,
  version integer not null,
  state text not null constraint publication_state_is_known check
    (state in ('scheduled', 'running', 'live', 'failed', 'cancelled', 'superseded', 'suspended')),
  message text not null constraint publication_message_has_a_length check (char_length(message) <= 1000),
  reason text constraint publication_reason_has_a_length check (char_length(reason) between 1 and 1000),
  overrides boolean not null,
  requester_kind text not null
    constraint requester_kind_is_known check (requester_kind in ('user', 'token', 'operator', 'system')),
  requester_name text not null,
  made_against bigint,
  activation bigint,
  attempts integer not null default 0,
  cause text,
  report json not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  constraint publications_key primary key (organization_id, id),
  constraint publication_is_of_a_version foreign key (organization_id, host, version)
    references versions (organization_id, host, number),
  constraint override_has_a_reason check (not overrides or reason is not null),
  constraint live_publication_has_an_activation check ((state = 'live') = (activation is not null)),
  constraint ended_publication_has_an_end check ((state in ('scheduled', 'running')) = (ended_at is null))
);

create index publications_by_domain on publications (organization_id, host, created_at desc, id);
create index publications_pending on publications (organization_id, host) where state in ('scheduled', 'running');
create index publications_by_version on publications (organization_id, host, version) where state = 'live';

-- Who may serve a host, and what is live on it. Made by verification. An alias has a claim of its own, which points at
-- a version of the domain that it stands for.
create table claims (
  host text constraint claims_key primary key,
  organization_id uuid not null,
  domain text not null,
  version integer,
  activation bigint constraint activation_is_unique unique,
  sha256 bytea,
  size integer,
  claimed_at timestamptz not null default now(),
  live_since timestamptz,
  constraint claim_is_for_a_domain foreign key (organization_id, host) references domains (organization_id, host),
  constraint live_claim_is_whole check (
    num_nulls(version, activation, sha256, size, live_since) in (0, 5)),
  constraint live_claim_points_at_a_version foreign key (organization_id, domain, version)
    references versions (organization_id, host, number)
);

create index claims_by_organization on claims (organization_id, host);
create index claims_by_digest on claims (sha256) where sha256 is not null;

-- One row, locked until the activation it numbers commits: so activations commit in the order of their numbers, and a
-- consumer that has seen number n has seen every number before it.
create table activation_counter (
  only_row boolean constraint activation_counter_key primary key default true
    constraint activation_counter_has_one_row check (only_row),
  last bigint not null constraint activation_is_not_negative check (last >= 0)
);

insert into activation_counter (last) values (0);

create table jobs (
  id bigint generated always as identity constraint jobs_key primary key,
  organization_id uuid not null
    constraint job_is_of_an_organization references organizations (id) on delete cascade,
  kind text not null constraint job_kind_is_known check (kind in ('publish')),
  key uuid not null,
  due_at timestamptz not null,
  lease_until timestamptz,
  token bigint not null default 0,
  attempts integer not null default 0,
  constraint job_is_queued_once unique (kind, key)
);

create index jobs_by_due_time on jobs (due_at, id);
