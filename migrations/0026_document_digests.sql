-- The SHA-256 of a draft's document, by which processes remember what they have made of it. Null for drafts that nobody has
-- written since, and where the document alone was changed: then the document is read.
alter table drafts
  add column document_sha256 bytea constraint draft_document_has_a_digest check (octet_length(document_sha256) = 32);

create function forget_document_digest() returns trigger
language plpgsql as $$
begin
  new.document_sha256 := null;
  return new;
end
$$;

create trigger documents_have_their_digest before update of document on drafts
for each row when (
  new.document_sha256 is not null and new.document_sha256 = old.document_sha256
  and new.document::text <> old.document::text)
execute function forget_document_digest();
