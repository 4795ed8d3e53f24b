-- The users whose membership ended. An organization's provider does not admit them again: otherwise a removed member, or
-- one with a lower role than the provider gives, could leave and come back. Only another person can invite or add them.
create table former_members (
  organization_id uuid not null default transaction_organization()
    constraint former_member_is_of_an_organization references organizations (id),
  user_id uuid not null constraint former_member_is_a_user references users (id) on delete cascade,
  ended_at timestamptz not null default clock_timestamp(),
  constraint former_members_key primary key (organization_id, user_id)
);

select isolate_by_organization('former_members');

create index former_members_by_user on former_members (user_id);

-- Who created a token, and who set the terms of a trust last. The author of a token knows its secret, and the author of a
-- trust may own the repository that it names: the lists show what stays behind when a person is removed. Null for rows from
-- before this was recorded, and for tokens of trusts.
alter table credentials
  add column author_kind text constraint credential_author_is_known check (author_kind in ('user', 'token', 'operator', 'system')),
  add column author_name text;

alter table trusts
  add column author_kind text constraint trust_author_is_known check (author_kind in ('user', 'token', 'operator', 'system')),
  add column author_name text;

-- Whether the provider said that the account's address is the person's. When the address is proved, other identities end:
-- another person may have connected them before.
alter table identities add column has_address boolean not null default false;
