-- A page of a list takes the same time, whatever the size of the organization (docs/decisions/0012).
--
-- Under row level security, an index finds rows only by operators that are `leakproof`. `=` and `<` of texts are;
-- `like` and `@>` are not, so a trigram index or a GIN index on labels is never used. The values that lists are
-- filtered by therefore have rows of their own, with b-tree indexes. Triggers maintain them. Hosts and app IDs are
-- listed in the order of their bytes, whatever the database's collation.

drop index domains_by_label;
create index domains_in_order on domains (organization_id, host collate "C");
create index apps_in_order on apps (organization_id, app_id collate "C");

-- The state of each domain. A change of the draft and a change of the claim write different columns, and the state
-- follows from both. So it is right in whatever order they commit.
create table domain_states (
  organization_id uuid not null default transaction_organization(),
  host text not null,
  is_alias boolean not null,
  is_claimed boolean not null default false,
  is_left_out boolean not null default false,
  was_live boolean not null default false,
  live_sha256 bytea,
  draft_sha256 bytea,
  state text not null generated always as (
    case
      when is_left_out then 'withdrawn'
      when is_alias then 'alias'
      when not is_claimed then 'unverified'
      when live_sha256 is null and was_live then 'withdrawn'
      when live_sha256 is null then 'unpublished'
      when live_sha256 is distinct from draft_sha256 then 'changed'
      else 'live'
    end) stored,
  constraint domain_states_key primary key (organization_id, host),
  constraint state_is_of_a_domain foreign key (organization_id, host)
    references domains (organization_id, host) on delete cascade
) with (fillfactor = 80);

create index domains_by_state on domain_states (organization_id, state, host collate "C");

create table domain_labels (
  organization_id uuid not null default transaction_organization(),
  host text not null,
  label text not null,
  constraint domain_labels_key primary key (organization_id, host, label),
  constraint label_is_of_a_domain foreign key (organization_id, host)
    references domains (organization_id, host) on delete cascade
);

create index domains_by_label on domain_labels (organization_id, label, host collate "C");

-- A text from each of its words to its end, in lower case; only words that begin at `first_place` or later. A word
-- begins at a letter or digit after any other character, at a digit after a letter, at a capital letter after a small
-- one, and at every character that is not ASCII.
create function word_ends(searched text, first_place integer) returns setof text
language sql immutable strict parallel safe
begin atomic
  select distinct lower(substr(searched, place)) collate "C"
  from translate(
    searched, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ123456789',
    repeat('a', 26) || repeat('A', 26) || repeat('0', 9)) as kinds
  cross join generate_series(first_place, char_length(searched)) as place
  cross join lateral (select substr(kinds, place, 1), substr(kinds, place - 1, 1)) as letters (here, before)
  where here collate "C" > chr(127)
    or (here in ('a', 'A', '0') and before not in ('a', 'A', '0'))
    or (here = '0' and before in ('a', 'A'))
    or (here = 'A' and before = 'a');
end;

-- The words of hosts, for searches. The first word is left out: the host itself begins with it.
create table domain_words (
  organization_id uuid not null default transaction_organization(),
  host text not null,
  word text collate "C" not null,
  constraint domain_words_key primary key (organization_id, host, word),
  constraint word_is_of_a_domain foreign key (organization_id, host)
    references domains (organization_id, host) on delete cascade
);

create index domains_by_word on domain_words (organization_id, word, host);

-- The words of app IDs and names, for searches.
create table app_words (
  organization_id uuid not null default transaction_organization(),
  app_id text not null,
  word text collate "C" not null,
  constraint app_words_key primary key (organization_id, app_id, word),
  constraint word_is_of_an_app foreign key (organization_id, app_id)
    references apps (organization_id, app_id) on delete cascade
);

create index apps_by_word on app_words (organization_id, word, app_id);

-- The order of the lists, with and without a state. The ID is part of it, because all publications of a release have
-- the same time.
drop index publications_by_organization;
create index publications_by_organization on publications (organization_id, created_at desc, id desc);
drop index publications_by_domain;
create index publications_by_domain on publications (organization_id, host, created_at desc, id desc);
create index publications_by_state on publications (organization_id, state, created_at desc, id desc);
create index publications_pending_in_order on publications (organization_id, created_at desc, id desc)
  where state in ('scheduled', 'running');
drop index releases_by_organization;
create index releases_by_organization on releases (organization_id, created_at desc, id desc);
create index releases_by_state on releases (organization_id, state, created_at desc, id desc);
create index freezes_by_organization on freezes (organization_id, created_at desc, id desc);

-- The number of domains in each state, stored when a release or replacement ends. A list counts only those that have
-- not ended.
alter table releases add column counts json;
alter table replacements add column counts json;

-- The owner sees no row of a tenant while row level security is forced.
alter table domains no force row level security;
alter table drafts no force row level security;
alter table apps no force row level security;
alter table releases no force row level security;
alter table release_domains no force row level security;
alter table replacements no force row level security;
alter table replacement_domains no force row level security;

insert into domain_states (
  organization_id, host, is_alias, is_claimed, is_left_out, was_live, live_sha256, draft_sha256)
select domains.organization_id, domains.host, domains.alias_of is not null, claims.host is not null,
  coalesce(claims.left_out, false), claims.activation is not null, claims.sha256, drafts.file_sha256
from domains
left join claims on claims.organization_id = domains.organization_id and claims.host = domains.host
left join drafts on drafts.organization_id = domains.organization_id and drafts.host = domains.host;

insert into domain_labels (organization_id, host, label)
select distinct organization_id, host, unnest(labels) from domains;

insert into domain_words (organization_id, host, word)
select organization_id, host, word_ends(host, 2) from domains;

insert into app_words (organization_id, app_id, word)
select distinct organization_id, app_id, word from apps, unnest(array[app_id, name]) as searched, word_ends(searched, 1) as word;

update releases
set counts = (
  select coalesce(json_object_agg(counted.state, counted.domains), '{}')
  from (
    select release_domains.state, count(*) as domains from release_domains
    where release_domains.organization_id = releases.organization_id and release_domains.release_id = releases.id
    group by release_domains.state
  ) as counted)
where ended_at is not null;

update replacements
set counts = (
  select json_build_object(
    'total', count(*), 'waiting', count(*) filter (where replacement_domains.state = 'waiting'),
    'changed', count(*) filter (where replacement_domains.state = 'changed'),
    'refused', count(*) filter (where replacement_domains.refused),
    'tests', coalesce(sum(replacement_domains.tests), 0))
  from replacement_domains
  where replacement_domains.organization_id = replacements.organization_id
    and replacement_domains.replacement_id = replacements.id)
where ended_at is not null;

alter table domains force row level security;
alter table drafts force row level security;
alter table apps force row level security;
alter table releases force row level security;
alter table release_domains force row level security;
alter table replacements force row level security;
alter table replacement_domains force row level security;

select isolate_by_organization('domain_states');
select isolate_by_organization('domain_labels');
select isolate_by_organization('domain_words');
select isolate_by_organization('app_words');

create function list_new_domains() returns trigger
language plpgsql as $$
begin
  insert into domain_states (organization_id, host, is_alias)
  select organization_id, host, alias_of is not null from added;
  insert into domain_labels (organization_id, host, label)
  select distinct organization_id, host, unnest(labels) from added;
  insert into domain_words (organization_id, host, word)
  select organization_id, host, word_ends(host, 2) from added;
  return null;
end
$$;

create trigger new_domains_are_listed after insert on domains
referencing new table as added
for each statement execute function list_new_domains();

create function list_changed_domain() returns trigger
language plpgsql as $$
begin
  if (old.alias_of is null) <> (new.alias_of is null) then
    update domain_states set is_alias = new.alias_of is not null
    where organization_id = new.organization_id and host = new.host;
  end if;
  if old.labels is distinct from new.labels then
    delete from domain_labels
    where organization_id = new.organization_id and host = new.host and label <> all (new.labels);
    insert into domain_labels (organization_id, host, label)
    select distinct new.organization_id, new.host, unnest(new.labels)
    on conflict do nothing;
  end if;
  return null;
end
$$;

create trigger changed_domains_are_listed after update on domains
for each row when ((old.alias_of is null, old.labels) is distinct from (new.alias_of is null, new.labels))
execute function list_changed_domain();

-- One row at a time, in the order of hosts: transactions that change many domains cannot deadlock, and no stored plan
-- for a few rows is used for thousands.
create function follow_drafts() returns trigger
language plpgsql as $$
declare
  draft record;
begin
  for draft in select organization_id, host, file_sha256 from changed order by host loop
    update domain_states set draft_sha256 = draft.file_sha256
    where organization_id = draft.organization_id and host = draft.host
      and draft_sha256 is distinct from draft.file_sha256;
  end loop;
  return null;
end
$$;

create trigger states_follow_new_drafts after insert on drafts
referencing new table as changed
for each statement execute function follow_drafts();
create trigger states_follow_drafts after update on drafts
referencing new table as changed
for each statement execute function follow_drafts();

-- The table of claims has no policy. So a transaction without the organization, or with another one, can change a claim
-- but not the state that follows from it.
create function require_organization(claimed_by uuid) returns void
language plpgsql stable as $$
begin
  if transaction_organization() is distinct from claimed_by and row_security_active('domain_states') then
    raise exception 'only a transaction of its organization changes a claim' using errcode = 'insufficient_privilege';
  end if;
end
$$;

create function follow_claims() returns trigger
language plpgsql as $$
declare
  claim record;
begin
  for claim in select organization_id, host, left_out, activation, sha256 from changed order by host loop
    perform require_organization(claim.organization_id);
    update domain_states
    set is_claimed = true, is_left_out = claim.left_out, was_live = claim.activation is not null,
      live_sha256 = claim.sha256
    where organization_id = claim.organization_id and host = claim.host
      and (is_claimed, is_left_out, was_live, live_sha256)
        is distinct from (true, claim.left_out, claim.activation is not null, claim.sha256);
  end loop;
  return null;
end
$$;

create trigger states_follow_new_claims after insert on claims
referencing new table as changed
for each statement execute function follow_claims();
create trigger states_follow_claims after update on claims
referencing new table as changed
for each statement execute function follow_claims();

create function forget_claim() returns trigger
language plpgsql as $$
begin
  perform require_organization(old.organization_id);
  update domain_states set is_claimed = false, is_left_out = false, was_live = false, live_sha256 = null
  where organization_id = old.organization_id and host = old.host;
  return null;
end
$$;

create trigger states_forget_claims after delete on claims
for each row execute function forget_claim();

create function list_new_apps() returns trigger
language plpgsql as $$
begin
  insert into app_words (organization_id, app_id, word)
  select distinct organization_id, app_id, word
  from added, unnest(array[app_id, name]) as searched, word_ends(searched, 1) as word;
  return null;
end
$$;

create trigger new_apps_are_listed after insert on apps
referencing new table as added
for each statement execute function list_new_apps();

create function list_renamed_app() returns trigger
language plpgsql as $$
begin
  delete from app_words where organization_id = new.organization_id and app_id = new.app_id;
  insert into app_words (organization_id, app_id, word)
  select distinct new.organization_id, new.app_id, word
  from unnest(array[new.app_id, new.name]) as searched, word_ends(searched, 1) as word;
  return null;
end
$$;

create trigger renamed_apps_are_listed after update on apps
for each row when (old.name is distinct from new.name)
execute function list_renamed_app();

-- Plans must not wait for the first automatic analysis.
analyze domain_states;
analyze domain_labels;
analyze domain_words;
analyze app_words;
