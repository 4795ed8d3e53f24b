-- How far each bucket has got, object by object. Addresses and names come from the operator's settings; credentials are
-- never here.

-- A name at another address is another sink: nothing of what was seen at the first holds there.
create table sinks (
  id bigint generated always as identity constraint sinks_key primary key,
  name text not null constraint sink_name_has_a_length check (char_length(name) between 1 and 63),
  address text not null,
  opened_at timestamptz not null default clock_timestamp(),
-- Claims that have changed up to this activation are among the objects.
  activation bigint not null default 0,
  seen_at timestamptz not null default clock_timestamp(),
-- When the bucket is listed next; while somebody lists it, until when it is his.
  listing_due_at timestamptz not null default clock_timestamp(),
  listing_token bigint not null default 0,
  listed_at timestamptz,
  cause text,
  constraint sink_is_opened_once unique (name, address)
);

create table sink_objects (
  sink bigint not null constraint object_is_of_a_sink references sinks (id) on delete cascade,
-- In the order of its bytes, as buckets list it.
  host text collate "C" not null,
  path text not null constraint object_path_is_known check
    (path in ('/.well-known/apple-app-site-association', '/apple-app-site-association')),
-- What the bucket was seen to hold last: nothing before the first time, a digest unless the host was withdrawn.
  activation bigint,
  sha256 bytea,
-- Tag and time of that write, in the words of the bucket's list; nothing until it has been listed.
  mark text,
-- When there is something to do; nothing when there is not. While a worker does it, until when it is his.
  due_at timestamptz default clock_timestamp(),
  token bigint not null default 0,
  attempts integer not null default 0,
  cause text,
  behind_since timestamptz default clock_timestamp(),
  applied_at timestamptz,
  constraint sink_objects_key primary key (sink, host, path)
);

create index sink_objects_due on sink_objects (sink, due_at) where due_at is not null;
create index sink_objects_by_host on sink_objects (host);
