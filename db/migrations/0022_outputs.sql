-- What is made of a request and leaves the house: the printable document, the signing report, the evidence bundle.
-- It can always be made again; what it is made of is kept elsewhere, for ever.

create table request_outputs (
  id              uuid primary key,
  request_id      uuid not null references signing_requests,
  kind            text not null check (kind in ('printable', 'terminating', 'report', 'evidence')),
  -- whose eyes it is for: what a side may not see is not in what it is given; '' where all see the same
  view            text not null,
  language        text not null check (language in ('ru', 'kk', 'en')),
  -- of all that it is made from: another one, and it is out of date
  fingerprint     text not null,
  state           text not null check (state in ('in-process', 'ready', 'failed')),
  -- who asked last: it is made as they see the request
  viewer          jsonb not null,
  asked_at        timestamptz not null,
  file_id         uuid references files,
  file_name       text not null,
  -- why it came to nothing, as an alias
  failure         text,
  made_at         timestamptz,
  unique (request_id, kind, view, language),
  check ((state = 'ready') = (num_nulls(file_id, made_at) = 0)),
  check ((state = 'failed') = (failure is not null))
);

create index on request_outputs (file_id) where file_id is not null;
-- What nobody has asked for in a while is taken away.
create index on request_outputs (asked_at);
