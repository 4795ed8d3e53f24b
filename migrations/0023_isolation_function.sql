-- Row level security of a tenant's table, for the migrations that follow: each calls this once for every new table that
-- has an organization_id, as in `select isolate_by_organization('teams');`.
create function isolate_by_organization(tenant_table regclass) returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format(
    'create policy organization_of_the_transaction on %s '
    'using (organization_id = transaction_organization()) '
    'with check (organization_id = transaction_organization())', tenant_table);
end
$$;

revoke execute on function isolate_by_organization(regclass) from public;
