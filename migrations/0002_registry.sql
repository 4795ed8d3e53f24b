-- The tenants' registry: teams, apps, domains and drafts, and the trail of every change.
-- A tenant's table has the organization first in its key, so that no foreign key can cross tenants, and row level
-- security enabled and forced with the one policy below. The organization comes from the transaction.

create function transaction_organization() returns uuid
language sql stable parallel safe
return nullif(current_setting('waymark.organization', true), '')::uuid;

create function refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name
    using errcode = 'restrict_violation', constraint = tg_name;
end
$$;

create table teams (
  organization_id uuid not null default transaction_organization()
    constraint team_is_in_an_organization references organizations (id),
  team_id text not null constraint team_id_is_well_formed check (team_id ~ '^[A-Z0-9]{10}$'),
  name text not null constraint team_name_has_a_length check (char_length(name) between 1 and 200),
  created_at timestamptz not null default now(),
  constraint teams_key primary key (organization_id, team_id)
);

create table apps (
  organization_id uuid not null default transaction_organization(),
  app_id text not null,
  prefix text not null constraint app_prefix_is_well_formed check (prefix ~ '^[A-Z0-9]{10}$'),
  bundle_id text not null
    constraint bundle_id_is_well_formed check (bundle_id ~ '^[A-Za-z0-9.-]+$' and octet_length(bundle_id) <= 244),
  team_id text not null,
  name text not null constraint app_name_has_a_length check (char_length(name) between 1 and 200),
  kind text not null constraint app_kind_is_known check (kind in ('app', 'appClip')),
  app_store_id text constraint app_store_id_is_a_number check (app_store_id ~ '^[0-9]{1,20}$'),
  created_at timestamptz not null default now(),
  constraint apps_key primary key (organization_id, app_id),
  constraint app_id_is_prefix_and_bundle_id check (app_id = prefix || '.' || bundle_id),
  constraint app_is_of_a_team foreign key (organization_id, team_id) references teams (organization_id, team_id)
);

create index apps_by_team on apps (organization_id, team_id);

create table domains (
  organization_id uuid not null default transaction_organization()
    constraint domain_is_in_an_organization references organizations (id),
  host text not null
    constraint host_is_ascii_and_lower_case check (host ~ '^[a-z0-9.-]+$' and octet_length(host) between 1 and 253),
  alias_of text constraint domain_is_not_its_own_alias check (alias_of <> host),
  labels text[] not null default '{}' constraint domain_has_few_labels check (cardinality(labels) <= 20),
  last_version integer not null default 0 constraint last_version_is_not_negative check (last_version >= 0),
  created_at timestamptz not null default now(),
  constraint domains_key primary key (organization_id, host),
  constraint alias_is_of_a_domain foreign key (organization_id, alias_of) references domains (organization_id, host)
);

create index domains_by_alias on domains (organization_id, alias_of) where alias_of is not null;
create index domains_by_label on domains using gin (labels);

-- The draft is one document: it has one revision, and what is in it is read, changed and frozen as a whole. `json`
-- keeps the text as written (key order, numbers), which `jsonb` does not.
create table drafts (
  organization_id uuid not null default transaction_organization(),
  host text not null,
  revision integer not null constraint draft_revision_is_positive check (revision >= 1),
  document json not null,
  file_sha256 bytea not null constraint draft_file_has_a_digest check (octet_length(file_sha256) = 32),
  file_size integer not null constraint draft_file_size_is_not_negative check (file_size >= 0),
  updated_at timestamptz not null default now(),
  constraint drafts_key primary key (organization_id, host),
  constraint draft_is_of_a_domain foreign key (organization_id, host)
    references domains (organization_id, host) on delete cascade
);

-- Which drafts name an app, registered or not: written with the draft, asked by "in use" and by replacements.
create table draft_apps (
  organization_id uuid not null default transaction_organization(),
  host text not null,
  app_id text not null,
  constraint draft_apps_key primary key (organization_id, host, app_id),
  constraint draft_app_is_in_a_draft foreign key (organization_id, host)
    references drafts (organization_id, host) on delete cascade
);

create index draft_apps_by_app on draft_apps (organization_id, app_id);

create table audit_entries (
  organization_id uuid not null default transaction_organization()
    constraint audit_entry_is_of_an_organization references organizations (id),
  id bigint generated always as identity,
  at timestamptz not null default now(),
  actor_kind text not null constraint actor_kind_is_known check (actor_kind in ('user', 'token', 'operator', 'system')),
  actor_name text not null,
  action text not null,
  subject text not null,
  detail json not null,
  constraint audit_entries_key primary key (organization_id, id)
);

create trigger audit_entries_are_kept before update or delete on audit_entries
for each row execute function refuse_change();

create trigger audit_entries_are_not_truncated before truncate on audit_entries
for each statement execute function refuse_change();
