-- What keeps a consumer of the snapshot from taking over what is offered, in its own words, and since when.

alter table consumers
  add column trouble text constraint consumer_trouble_has_a_length check (char_length(trouble) between 1 and 500),
  add column trouble_since timestamptz,
  add constraint trouble_has_a_beginning check ((trouble is null) = (trouble_since is null));
