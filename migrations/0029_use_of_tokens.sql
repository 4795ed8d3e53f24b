-- Tokens are listed page by page, newest first, with the time of their last use. A rotated token gets the lifetime that
-- was chosen for the first one, because the expiry of the old one changes.
alter table credentials
  add column last_used_at timestamptz,
  add column lifetime_seconds integer;

update credentials set lifetime_seconds = extract(epoch from expires_at - created_at) where expires_at is not null;

create index credentials_in_order on credentials (organization_id, created_at, id);
