-- A domain tells which of its publications was suspended or has failed since something went live: few of all that there are.

create index publications_stopped on publications (organization_id, host, ended_at desc)
  where state in ('suspended', 'failed');
