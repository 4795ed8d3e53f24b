"""Creates many hosts in seconds, by copying one host with SQL."""

LIVE = """
begin;
create temporary table copies as
  select number, format('copy-%s.example', number) as host from generate_series(1, {count}) as number;
create temporary table files as
  select copies.host, convert_to(replace(convert_from(bytes, 'UTF8'), '/copied', '/copied-' || number), 'UTF8') as bytes
  from copies, claims join blobs using (organization_id, sha256) where claims.host = '{host}';
insert into domains (organization_id, host, last_version)
  select organization_id, copies.host, 1 from copies, domains where domains.host = '{host}';
insert into drafts (organization_id, host, revision, document, file_sha256, file_size)
  select organization_id, copies.host, revision, document, file_sha256, file_size
  from copies, drafts where drafts.host = '{host}';
insert into draft_apps (organization_id, host, app_id)
  select organization_id, copies.host, app_id from copies, draft_apps where draft_apps.host = '{host}';
insert into blobs (organization_id, sha256, bytes)
  select organization_id, sha256(bytes), bytes from files, claims where claims.host = '{host}';
insert into versions
    (organization_id, host, number, sha256, size, draft_revision, message, author_kind, author_name, report)
  select organization_id, files.host, 1, sha256(bytes), octet_length(bytes), draft_revision, message, author_kind,
    author_name, report
  from files, versions where versions.host = '{host}' and versions.number = 1;
insert into claims (host, organization_id, domain, version, activation, sha256, size, live_since)
  select copies.host, organization_id, copies.host, 1, last + number, sha256(bytes), octet_length(bytes), now()
  from activation_counter, copies join files using (host), domains where domains.host = '{host}';
update activation_counter set last = last + {count};
commit;
"""


def copy_host(cluster, host, count):
    """Copies a live host to `copy-1.example` and so on. Each copy has a different draft and a different live file. The
    host's live version must be 1, and one of its paths must be `/copied`.
    """
    cluster.sql(LIVE.format(host=host, count=count))
    return names(count)


DRAFTED = """
begin;
create temporary table copies as
  select number, format('copy-%s.example', number) as host from generate_series(1, {count}) as number;
insert into domains (organization_id, host, labels)
  select organization_id, copies.host, labels from copies, domains where domains.host = '{host}';
insert into drafts (organization_id, host, revision, document, file_sha256, file_size)
  select organization_id, copies.host, revision, replace(document::text, '/copied', '/copied-' || number)::json,
    file_sha256, file_size
  from copies, drafts where drafts.host = '{host}';
insert into draft_apps (organization_id, host, app_id)
  select organization_id, copies.host, app_id from copies, draft_apps where draft_apps.host = '{host}';
insert into tests (organization_id, id, host, position, url, outcome, app_id, note)
  select organization_id, gen_random_uuid(), copies.host, position, replace(url, '/copied', '/copied-' || number),
    outcome, app_id, note
  from copies, tests where tests.host = '{host}';
insert into claims (host, organization_id, domain)
  select copies.host, organization_id, copies.host from copies, claims where claims.host = '{host}';
commit;
"""


def copy_draft(cluster, host, count):
    """Copies a verified host without a live file to `copy-1.example` and so on, with its labels, draft and tests.

    The path `/copied` becomes `/copied-1` and so on. The copied drafts have the digest of the original file, which is
    wrong for them.
    """
    cluster.sql(DRAFTED.format(host=host, count=count))
    return names(count)


def names(count):
    return [f"copy-{number}.example" for number in range(1, count + 1)]
