-- The audit trail is filtered by the request that made the changes.
create index audit_entries_by_request on audit_entries (organization_id, request_id, id)
  where request_id is not null;
