-- A new domain has an empty draft, and its file has an error: it has no service. That is no problem to list: the user has
-- not begun. Until the first edit of the draft, its errors do not count.

-- The owner sees no row of a tenant while row level security is forced.
alter table domain_states no force row level security;
alter table drafts no force row level security;

alter table domain_states add column is_untouched boolean not null default true;

update domain_states
set is_untouched = false
from drafts
where drafts.organization_id = domain_states.organization_id and drafts.host = domain_states.host
  and drafts.revision > 1;

drop index domains_by_problem;
drop index domains_with_problems;
drop index domains_with_errors;
alter table domain_states drop column problem;

alter table domain_states
  -- The worst problem: 1 is the worst, and 9 is none.
  add column problem smallint not null generated always as (
    case
      when stopped is not null then 1
      when is_leaving then 2
      when not is_alias and not is_untouched and errors > 0 then 3
      when not is_alias and failed > 0 then 4
      when not is_claimed then 5
      else 9
    end) stored;

create index domains_by_problem on domain_states (organization_id, problem, host collate "C") where problem > 0;
create index domains_with_problems on domain_states (organization_id, host collate "C") where problem < 9;
create index domains_with_errors on domain_states (organization_id, host collate "C")
  where not is_alias and not is_untouched and errors > 0;

alter table domain_states force row level security;
alter table drafts force row level security;

create or replace function follow_drafts() returns trigger
language plpgsql as $$
declare
  draft record;
begin
  for draft in
    select organization_id, host, file_sha256, revision = 1 as is_untouched,
      date_trunc('minute', updated_at) as changed_at
    from changed
    order by host
  loop
    update domain_states
    set draft_sha256 = draft.file_sha256, changed_at = draft.changed_at, is_untouched = draft.is_untouched
    where organization_id = draft.organization_id and host = draft.host
      and (draft_sha256, changed_at, is_untouched)
        is distinct from (draft.file_sha256, draft.changed_at, draft.is_untouched);
  end loop;
  return null;
end
$$;
