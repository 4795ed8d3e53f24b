-- Replacements: another app in the place of one, in many drafts and their tests.

create table replacements (
  organization_id uuid not null default transaction_organization()
    constraint replacement_is_in_an_organization references organizations (id),
  id uuid not null,
  app_id text not null,
  replacement_app_id text not null,
  state text not null constraint replacement_state_is_known check (state in ('running', 'done', 'failed')),
  message text not null constraint replacement_message_has_a_length check (char_length(message) <= 1000),
  requester_kind text not null
    constraint requester_kind_is_known check (requester_kind in ('user', 'token', 'operator', 'system')),
  requester_name text not null,
  cause text,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  constraint replacements_key primary key (organization_id, id),
  constraint app_is_not_replaced_by_itself check (app_id <> replacement_app_id),
  constraint ended_replacement_has_an_end check ((state = 'running') = (ended_at is null))
);

create index replacements_by_app on replacements (organization_id, app_id, created_at desc, id);
create unique index app_is_replaced_once_at_a_time on replacements (organization_id, app_id) where state = 'running';

create table replacement_domains (
  organization_id uuid not null default transaction_organization(),
  replacement_id uuid not null,
  host text not null,
  state text not null constraint replacement_domain_state_is_known check (state in ('waiting', 'changed', 'unchanged')),
  revision integer,
  tests integer not null default 0,
  refused boolean not null default false,
  failures json,
  constraint replacement_domains_key primary key (organization_id, replacement_id, host),
  constraint replacement_domain_is_of_a_replacement foreign key (organization_id, replacement_id)
    references replacements (organization_id, id),
  constraint replacement_domain_is_a_domain foreign key (organization_id, host)
    references domains (organization_id, host) on delete cascade
);

create index replacement_domains_waiting on replacement_domains (organization_id, replacement_id, host)
  where state = 'waiting';
create index replacement_domains_refused on replacement_domains (organization_id, replacement_id, host) where refused;
create index replacement_domains_by_host on replacement_domains (organization_id, host);
create index tests_by_app on tests (organization_id, app_id) where app_id is not null;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['replacements', 'replacement_domains'] loop
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
alter table jobs add constraint job_kind_is_known check (kind in ('publish', 'withdraw', 'schedule', 'run', 'release', 'replace'));
