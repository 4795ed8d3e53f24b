-- Tokens are listed page by page, newest first, with the time of their last use.
alter table credentials add column last_used_at timestamptz;

create index credentials_in_order on credentials (organization_id, created_at, id);
