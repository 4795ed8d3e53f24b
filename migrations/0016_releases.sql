-- Releases: one publication for many domains, judged in batches and live in one commit.

create table releases (
  organization_id uuid not null default transaction_organization()
    constraint release_is_of_an_organization references organizations (id),
  id uuid not null,
  state text not null constraint release_state_is_known check (state in (
    'judging', 'scheduled', 'running', 'judged', 'refused', 'unchanged', 'live', 'failed', 'cancelled', 'suspended')),
  label text,
  takes_back uuid,
  message text not null constraint release_message_has_a_length check (char_length(message) <= 1000),
  reason text constraint release_reason_has_a_length check (char_length(reason) between 1 and 1000),
  overrides boolean not null,
  dry_run boolean not null,
  requester_kind text not null
    constraint requester_kind_is_known check (requester_kind in ('user', 'token', 'operator', 'system')),
  requester_name text not null,
  due_at timestamptz,
  zone text constraint release_zone_has_a_length check (char_length(zone) between 1 and 100),
  -- The highest of the activations that it made.
  activation bigint,
  cause text,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  constraint releases_key primary key (organization_id, id),
  constraint release_takes_back_another foreign key (organization_id, takes_back)
    references releases (organization_id, id),
  constraint release_override_has_a_reason check (not overrides or reason is not null),
  constraint live_release_has_an_activation check ((state = 'live') = (activation is not null)),
  constraint ended_release_has_an_end check ((state in ('judging', 'scheduled', 'running')) = (ended_at is null))
);

create index releases_by_organization on releases (organization_id, created_at desc, id);
create index releases_pending on releases (organization_id) where state in ('judging', 'scheduled', 'running');

-- What became of each domain of a release. The bytes are frozen when it is judged, and numbered as a version when all
-- have passed: a release that is refused uses no number.
create table release_domains (
  organization_id uuid not null default transaction_organization(),
  release_id uuid not null,
  host text not null,
  state text not null constraint release_domain_state_is_known check
    (state in ('waiting', 'passed', 'refused', 'unchanged', 'staying', 'frozen', 'moved', 'live')),
  draft_revision integer,
  version integer,
  sha256 bytea,
  size integer,
  report json,
  test_results json,
  failures json,
  made_against bigint,
  version_before integer,
  activation bigint,
  constraint release_domains_key primary key (organization_id, release_id, host),
  constraint release_domain_is_of_a_release foreign key (organization_id, release_id)
    references releases (organization_id, id),
  constraint release_domain_is_a_domain foreign key (organization_id, host)
    references domains (organization_id, host) on delete cascade,
  constraint release_domain_has_its_bytes foreign key (organization_id, sha256) references blobs (organization_id, sha256)
);

create index release_domains_by_state on release_domains (organization_id, release_id, state, host);
create index release_domains_by_host on release_domains (organization_id, host);

alter table publications
  add column release_id uuid,
  add constraint publication_is_of_a_release foreign key (organization_id, release_id)
    references releases (organization_id, id);

create index publications_by_release on publications (organization_id, release_id) where release_id is not null;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['releases', 'release_domains'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy organization_of_the_transaction on %I '
      'using (organization_id = transaction_organization()) '
      'with check (organization_id = transaction_organization())', tenant_table);
  end loop;
end
$$;

alter table jobs drop constraint job_kind_is_known;
alter table jobs add constraint job_kind_is_known check (kind in ('publish', 'withdraw', 'schedule', 'run', 'release'));
