-- What the operator allows an organization. Null for no limit.
alter table organizations
  -- The number of its domains.
  add column domain_quota integer constraint domain_quota_is_positive check (domain_quota > 0),
  -- The size of the files that all its drafts generate, in bytes.
  add column draft_bytes_quota bigint constraint draft_bytes_quota_is_positive check (draft_bytes_quota > 0),
  -- The URLs that it evaluates in a minute.
  add column evaluation_quota integer constraint evaluation_quota_is_positive check (evaluation_quota > 0);
