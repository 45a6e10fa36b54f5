-- Signing requests: a document on its way along a route, everything that was done to it, and every signature as it came.
-- The life of a request is in domain/requests/life-cycle.ts; the numbers of statuses are those of the wire.

create table signing_requests (
  id                      uuid primary key,
  organization_id         uuid not null references organizations,
  author_id               uuid not null references users,
  -- The document may go when nobody is to act on it any more; what was signed stays.
  document_id             uuid references documents on delete set null,
  file_id                 uuid not null references files,
  file_name               text not null check (length(file_name) between 1 and 250),
  format                  text not null check (format in ('pdf', 'docx', 'xlsx')),
  name                    text not null check (name <> '' and length(name) <= 250),
  description             text not null check (length(description) <= 1000),
  signing_date            date not null,
  route_id                uuid references routes on delete set null,
  route_name              text not null,
  is_quick                boolean not null,
  is_timestamp_required   boolean not null,
  language                text not null check (language in ('ru', 'kk', 'en')),
  -- what is put on the printable document: 1 letters and digits, 2 a QR code
  additional_components   integer not null check (additional_components between 0 and 3),
  access_code_expires_on  date,
  status                  integer not null check (status in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)),
  -- 0 is the signing process; each termination that is begun is another one
  attempt                 integer not null default 0 check (attempt >= 0),
  version                 integer not null default 1,
  events_count            integer not null default 0,
  lock_by                 uuid,
  lock_name               text,
  lock_until              timestamptz,
  created_at              timestamptz not null,
  changed_at              timestamptz not null,
  status_changed_at       timestamptz not null,
  check (num_nulls(lock_by, lock_name, lock_until) in (0, 3)),
  check (access_code_expires_on is null or additional_components & 1 = 1)
);

create trigger immutable
  before update of id, organization_id, author_id, file_id, file_name, format, signing_date, is_quick,
    is_timestamp_required, language, created_at on signing_requests
  for each row execute function refuse_other_contents();

create index on signing_requests (file_id);
create index on signing_requests (document_id) where document_id is not null;
create index on signing_requests (route_id) where route_id is not null;
-- Reminders look for what has not moved for long.
create index on signing_requests (status_changed_at) where status in (2, 32, 64, 128, 256);
-- The outgoing lists, in each order they are shown in.
create index requests_of_author on signing_requests (organization_id, author_id, created_at desc, id desc)
  include (status);
create index requests_of_author_by_status
  on signing_requests (organization_id, author_id, status, created_at desc, id desc);
create index requests_of_author_by_name on signing_requests (organization_id, author_id, name, id) include (status);
create index requests_of_organization on signing_requests (organization_id, created_at desc, id desc) include (status);
create index requests_of_organization_by_status
  on signing_requests (organization_id, status, created_at desc, id desc);
create index requests_of_organization_by_name on signing_requests (organization_id, name, id) include (status);

-- The route as it was when the request was sent, and how far each point of it has come.
create table request_points (
  request_id        uuid not null references signing_requests,
  attempt           integer not null check (attempt >= 0),
  point_id          uuid not null,
  "order"           integer not null check ("order" > 0),
  type              integer not null
    check (type in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)),
  name              text not null,
  -- whose group it is: the sender's, or for a counterparty's point theirs
  organization_id   uuid references organizations,
  group_id          uuid,
  bin               text not null check (bin = '' or bin ~ '^[0-9]{12}$'),
  organization_name text not null,
  emails            text[] not null,
  -- addressed first
  responsible       uuid[] not null,
  condition         text not null check (condition in ('any', 'all')),
  is_eds_required   boolean not null,
  status            integer not null check (status between 1 and 8),
  -- why it is as it is: {alias, parameters}
  reason            jsonb,
  acted             uuid[] not null default '{}',
  pending_signature uuid,
  pending_by        uuid,
  turn_came_at      timestamptz,
  done_at           timestamptz,
  primary key (request_id, attempt, point_id),
  check (num_nulls(pending_signature, pending_by) <> 1),
  check ((status = 3) = (pending_signature is not null))
);

create index on request_points (group_id) where group_id is not null;
-- To whom a request went outside: 2468 are the external kinds, 4096 a counterparty's point.
create index request_points_outside on request_points (bin, request_id) where attempt = 0 and type & 6564 <> 0;

-- In whose incoming documents a request lies: of a group, or of whoever has the number. One row each, so that a list is
-- read from one index whatever else there is.
create table request_inboxes (
  -- a number of twelve digits, or the id of a group
  inbox      text not null,
  request_id uuid not null references signing_requests,
  name       text not null,
  arrived_at timestamptz not null,
  status     integer not null,
  -- somebody of this inbox is to act now
  waits      boolean not null,
  -- what this inbox was asked for is done
  is_done    boolean not null,
  primary key (inbox, request_id)
);

create index on request_inboxes (request_id);
create index inboxes_by_arrival on request_inboxes (inbox, arrived_at desc, request_id desc)
  include (status, waits, is_done);
create index inboxes_by_status on request_inboxes (inbox, status, arrived_at desc, request_id desc)
  include (waits, is_done);
create index inboxes_by_name on request_inboxes (inbox, name, request_id) include (status, waits, is_done);
create index inboxes_waiting on request_inboxes (inbox, arrived_at desc, request_id desc) include (status)
  where waits;

do $$
begin
  if (select count(*) from pg_extension where extname in ('pg_trgm', 'btree_gin')) = 2 then
    create index requests_names on signing_requests using gin (lower(name) gin_trgm_ops);
    create index inboxes_names on request_inboxes using gin (lower(name) gin_trgm_ops);
  else
    create index requests_names on signing_requests (organization_id, lower(name) text_pattern_ops);
    create index inboxes_names on request_inboxes (inbox, lower(name) text_pattern_ops);
  end if;
end $$;

-- What happened, in the order in which it happened. Append-only.
create table request_events (
  request_id uuid not null references signing_requests,
  number     integer not null check (number > 0),
  at         timestamptz not null,
  type       text not null,
  attempt    integer not null,
  point_id   uuid,
  -- who: {id, fullName, iin?, bin?}; null: the system
  actor      jsonb,
  address    text check (length(address) <= 45),
  comment    text not null check (length(comment) <= 8000),
  data       jsonb not null,
  before     integer not null,
  after      integer not null,
  primary key (request_id, number)
);

-- What is shown at a point, without reading a long history.
create index request_events_at_points on request_events (request_id, attempt, number)
  where type in ('approved', 'confirmed', 'rejected');

create trigger append_only before update or delete on request_events
  for each row execute function refuse_change();
create trigger append_only_all before truncate on request_events
  for each statement execute function refuse_change();

-- A signature is kept as it came before anybody judges it, and is never lost or changed.
create table request_signatures (
  id              uuid primary key,
  request_id      uuid not null references signing_requests,
  attempt         integer not null,
  point_id        uuid not null,
  actor           jsonb not null,
  actor_id        uuid not null,
  comment         text not null check (length(comment) <= 2000),
  address         text check (length(address) <= 45),
  -- what was signed: the document, or the terminating document
  file_id         uuid not null references files,
  cms             bytea not null,
  -- the same by the same certificate, with a timestamp, where one is required
  timestamped_cms bytea,
  received_at     timestamptz not null,
  state           text not null check (state in ('checking', 'accepted', 'refused')),
  tries           integer not null default 0,
  next_try_at     timestamptz,
  -- of the last try: {verdict, subIndication, code, faults}
  verdict         jsonb,
  -- whose certificate it is, and what the verdict rests on
  owner           jsonb,
  evidence        jsonb,
  -- of the values of its signatures: what one person gave is not given again by another
  value_digests   text[] not null default '{}',
  checked_at      timestamptz
);

create index on request_signatures (request_id, attempt, point_id);
create index on request_signatures using gin (value_digests);
create index on request_signatures (next_try_at) where state = 'checking';

create trigger immutable
  before update of id, request_id, attempt, point_id, actor, actor_id, comment, address, file_id, cms, timestamped_cms,
    received_at on request_signatures
  for each row execute function refuse_other_contents();
create trigger stays before delete on request_signatures for each row execute function refuse_change();

-- Each attempt to terminate, with the document that every side signs.
create table request_terminations (
  request_id  uuid not null references signing_requests,
  attempt     integer not null check (attempt > 0),
  begun_by    jsonb not null,
  begun_at    timestamptz not null,
  comment     text not null check (comment <> '' and length(comment) <= 8000),
  file_id     uuid not null references files,
  from_status integer not null check (from_status in (8, 64)),
  primary key (request_id, attempt)
);

create table request_classifiers (
  request_id    uuid not null references signing_requests,
  classifier_id uuid not null references classifiers,
  primary key (request_id, classifier_id)
);

create index on request_classifiers (classifier_id, request_id);

-- An act that was sent twice because its answer was lost is done once.
create table request_act_keys (
  actor_id   uuid not null,
  key        uuid not null,
  request_id uuid not null references signing_requests,
  at         timestamptz not null,
  primary key (actor_id, key)
);

create index on request_act_keys (at);
