-- One policy for every tenant's table; a test over the catalog refuses a table without it. No organization in the
-- transaction means no rows.

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'teams', 'apps', 'domains', 'drafts', 'draft_apps', 'audit_entries', 'blobs', 'versions', 'publications'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy organization_of_the_transaction on %I '
      'using (organization_id = transaction_organization()) '
      'with check (organization_id = transaction_organization())', tenant_table);
  end loop;
end
$$;
