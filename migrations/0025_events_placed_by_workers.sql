-- The organizations that have events without a position, for the workers that assign them (docs/decisions/0011). A row
-- stays while a transaction that relies on it is open, so every such event has a row. Writers wait neither for each
-- other nor for workers.
create table unplaced_events (
  id bigint generated always as identity constraint unplaced_events_key primary key,
  organization_id uuid not null
    constraint unplaced_events_are_of_an_organization references organizations (id) on delete cascade
);

create index unplaced_events_by_organization on unplaced_events (organization_id);

-- The owner sees no row of a tenant while row level security is forced.
alter table events no force row level security;
insert into unplaced_events (organization_id)
select distinct organization_id from events where position is null;
alter table events force row level security;

create or replace function add_events() returns trigger
language plpgsql as $$
declare
  writer uuid;
begin
  insert into events (organization_id, entry_id, kind, host, concerns)
  select organization_id, id, action, host, concerns from added;
  for writer in select distinct organization_id from added loop
    -- Locked until the commit: a worker deletes no locked row. A row that a worker is deleting is skipped.
    perform from unplaced_events where organization_id = writer limit 1 for key share skip locked;
    if not found then
      insert into unplaced_events (organization_id) values (writer);
    end if;
  end loop;
  return null;
end
$$;
