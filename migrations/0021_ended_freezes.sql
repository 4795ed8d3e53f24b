-- A freeze that ends by itself is an event, which a worker leaves when its time has come.
alter table jobs drop constraint job_kind_is_known;
alter table jobs add constraint job_kind_is_known
  check (kind in ('publish', 'withdraw', 'schedule', 'run', 'release', 'replace', 'freeze'));

-- The owner sees no row of a tenant while row level security is forced.
alter table freezes no force row level security;
alter table schedules no force row level security;

insert into jobs (organization_id, kind, key, due_at)
select organization_id, 'freeze', id, ends_at from freezes
where lifted_at is null and ends_at > clock_timestamp();

-- In these zones schedules ran an hour late in summer: to `at time zone` they are abbreviations of winter time.
delete from jobs using schedules
where jobs.kind = 'schedule' and jobs.key = schedules.id and schedules.zone in ('CET', 'EET', 'MET', 'WET');
update schedules
set state = 'suspended', next_due_at = null,
  reason = 'PostgreSQL takes ' || zone || ' for winter time, all year: name a place, such as Europe/Paris'
where state = 'active' and zone in ('CET', 'EET', 'MET', 'WET');

alter table freezes force row level security;
alter table schedules force row level security;

-- Whether a publication is of a run, for freezes that begin while it is carried out.
create index schedule_outcomes_by_publication on schedule_outcomes (organization_id, publication_id)
  where publication_id is not null;
