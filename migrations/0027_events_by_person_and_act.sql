-- Events are found by their author, and by the bulk act that they are part of: a release, a replacement of an app, or a
-- run of a schedule. An act can have tens of thousands of events, so a list can leave out its parts.

-- Written as `release:` and the ID. Entries of earlier versions have none.
alter table audit_entries add column act text;
-- A transaction that is part of an act sets it once.
alter table audit_entries alter column act set default nullif(current_setting('waymark.act', true), '');

alter table events
  -- In lower case.
  add column actor text not null default '',
  add column act text,
  -- Whether it is one of many events of an act, and not about the act itself.
  add column is_part boolean not null default false;

drop trigger events_keep_their_place on events;
-- The owner sees no row of a tenant while row level security is forced.
alter table events no force row level security;
alter table audit_entries no force row level security;
update events set actor = lower(audit_entries.actor_name)
from audit_entries
where audit_entries.organization_id = events.organization_id and audit_entries.id = events.entry_id;
alter table events force row level security;
alter table audit_entries force row level security;
create trigger events_keep_their_place before update on events
for each row
when (
  old.position is not null
  or (old.organization_id, old.entry_id, old.kind, old.host, old.concerns, old.actor, old.act, old.is_part)
    is distinct from
    (new.organization_id, new.entry_id, new.kind, new.host, new.concerns, new.actor, new.act, new.is_part))
execute function refuse_change();

create index events_by_actor on events (organization_id, actor, position);
create index events_by_act on events (organization_id, act, position) where act is not null;
create index events_without_parts on events (organization_id, position) where not is_part;

create or replace function add_events() returns trigger
language plpgsql as $$
declare
  writer uuid;
begin
  insert into events (organization_id, entry_id, kind, host, concerns, actor, act, is_part)
  select organization_id, id, action, host, concerns, lower(actor_name), act,
    act is not null and split_part(action, '.', 1) not in ('release', 'replacement', 'run')
  from added;
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
