-- Comments on the document of a running request (decision 087). A version that does not know them shows the sender the e-mails about
-- internal comments of others, and keeps comments on documents that were destroyed.

create table comment_threads (
  id              uuid primary key,
  request_id      uuid not null references signing_requests,
  -- whose people began it; null: somebody who acts for their own number
  organization_id uuid references organizations,
  -- seen by every side; otherwise by the people of that organisation alone
  is_shared       boolean not null,
  -- the document that it is about, and the place in it
  revision        integer not null check (revision > 0),
  page            integer check (page > 0),
  quote           text not null,
  -- {left, top, width, height} in fractions of the page
  area            jsonb,
  created_at      timestamptz not null,
  resolved_at     timestamptz,
  resolved_by     jsonb,
  check (is_shared or organization_id is not null),
  check (area is null or page is not null),
  check ((resolved_at is null) = (resolved_by is null))
);

create index on comment_threads (request_id, created_at desc, id desc);

-- Nobody can show others what was written for one's own people.
create trigger immutable
  before update of id, request_id, organization_id, is_shared, revision, page, quote, area, created_at on comment_threads
  for each row execute function refuse_other_contents();
create trigger refuse_of_moved before insert on comment_threads
  for each row execute function refuse_of_moved();

create table comments (
  id                uuid primary key,
  thread_id         uuid not null references comment_threads on delete cascade,
  actor             jsonb not null,
  -- for whom they wrote, as it was called then
  organization_id   uuid references organizations,
  organization_name text not null,
  at                timestamptz not null,
  text              text not null
);

create index on comments (thread_id, at, id);

create trigger immutable before update on comments
  for each row execute function refuse_other_contents();
create trigger refuse_of_moved before insert on comments
  for each row execute function refuse_of_moved();

-- Also c and the id of a comment. What is there has been checked, so nothing is read again.
alter table notices drop constraint notices_occasion_check;
alter table notices add constraint notices_occasion_check
  check (occasion ~ '^([er][0-9]+|c[0-9a-f-]{36})$') not valid;
