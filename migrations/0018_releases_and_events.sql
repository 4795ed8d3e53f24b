-- When the change of a release has to have reached devices, where it was asked for by that: `due_at` follows from it.
alter table releases
  add column effective_by timestamptz,
  add constraint release_is_due_before_it_is_effective check (effective_by is null or due_at < effective_by);

create index releases_by_what_they_take_back on releases (organization_id, takes_back) where takes_back is not null;

-- Which domains an entry concerns that is about something else, such as a freeze or a release: `every`, `label ` and the
-- label that they have when it is looked for, `release ` and its ID. Null for all others, and for what was left before.
alter table audit_entries add column concerns text;
alter table events add column concerns text;

create index events_by_what_they_concern on events (organization_id, concerns, position) where concerns is not null;

create or replace function add_events() returns trigger
language plpgsql as $$
begin
  insert into events (organization_id, entry_id, kind, host, concerns)
  select organization_id, id, action, host, concerns from added;
  return null;
end
$$;

drop trigger events_keep_their_place on events;
create trigger events_keep_their_place before update on events
for each row
when (
  old.position is not null
  or (old.organization_id, old.entry_id, old.kind, old.host, old.concerns)
    is distinct from (new.organization_id, new.entry_id, new.kind, new.host, new.concerns))
execute function refuse_change();
