-- The claims that serve a domain's file are found by the domain: whoever puts it live reads those, and not all that the
-- organization has.
create index claims_by_domain on claims (organization_id, domain);
