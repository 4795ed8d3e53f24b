-- How far consumers of the snapshot have got, as they report it, and who has fetched what from them.

create table consumers (
  name text constraint consumers_key primary key
    constraint consumer_name_has_a_length check (char_length(name) between 1 and 200),
  kind text not null constraint consumer_kind_is_known check (kind in ('edge', 'directory')),
  process text not null,
  sequence bigint not null,
  activation bigint,
  applied_at timestamptz not null default now(),
  hosts integer not null,
  held text[] not null,
  held_count integer not null,
  seen_at timestamptz not null default now()
);

create table fetches (
  organization_id uuid not null default transaction_organization(),
  host text not null,
  version integer not null constraint fetched_version_is_positive check (version >= 1),
  client text not null constraint fetch_client_is_known check (client in ('appleCDN', 'device', 'other')),
  count bigint not null constraint fetch_count_is_positive check (count >= 1),
  first_at timestamptz not null,
  last_at timestamptz not null,
  constraint fetches_key primary key (organization_id, host, version, client),
  constraint fetch_is_of_a_domain foreign key (organization_id, host)
    references domains (organization_id, host) on delete cascade
);

-- The last report of each consumer that was counted for an organization: a report that comes twice counts once.
create table fetch_reports (
  organization_id uuid not null default transaction_organization()
    constraint fetch_report_is_of_an_organization references organizations (id) on delete cascade,
  consumer text not null,
  process text not null,
  sequence bigint not null,
  counted_at timestamptz not null default now(),
  constraint fetch_reports_key primary key (organization_id, consumer)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['fetches', 'fetch_reports'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy organization_of_the_transaction on %I '
      'using (organization_id = transaction_organization()) '
      'with check (organization_id = transaction_organization())', tenant_table);
  end loop;
end
$$;
