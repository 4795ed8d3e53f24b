-- Who edited the bytes of a version: each as kind, space and name. When a version is approved later, the drafts and the live
-- version have moved on, so the version keeps its own record. For versions from before this migration the editors are
-- unknown, as for a token: they need one more approval.
alter table versions add column editors text[] not null default '{"system unknown"}';

-- An approval is for bytes. So the editors of every version with the same bytes count.
create index versions_by_file on versions (organization_id, host, sha256);

-- A request ends when all its files have been live. So finished requests do not use up the limit of open ones.
alter table approval_requests
  drop constraint approval_request_state_is_known,
  add constraint approval_request_state_is_known check (state in ('open', 'published', 'rejected', 'cancelled'));
alter table approval_request_domains add column has_been_live boolean not null default false;
