-- When the change of a publication has to have reached devices, where it was asked for by that: `due_at` follows from it.

alter table publications
  add column effective_by timestamptz,
  add constraint publication_is_due_before_it_is_effective check (effective_by is null or due_at < effective_by);
