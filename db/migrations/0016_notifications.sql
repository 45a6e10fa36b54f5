-- Who is told of what happens to requests: in the product and by letter, and how each letter fared.

-- Written with the events of an act, gone when everybody was told of them: none is forgotten, none is told twice.
create table untold_events (
  request_id   uuid not null references signing_requests,
  first_number integer not null,
  last_number  integer not null check (last_number >= first_number),
  at           timestamptz not null,
  primary key (request_id, first_number)
);

create index on untold_events (at);

-- One row for each who is told of one thing.
create table notices (
  id              uuid primary key,
  request_id      uuid not null references signing_requests,
  -- e12: the twelfth event of the request; r3: its third reminder
  occasion        text not null check (occasion ~ '^[er][0-9]+$'),
  kind            text not null,
  -- the user, or mailto: and the address
  recipient       text not null,
  user_id         uuid references users on delete cascade,
  organization_id uuid references organizations on delete cascade,
  -- of somebody who is known by an address alone: to which number it belongs
  number          text check (number ~ '^[0-9]{12}$'),
  -- where the letter goes, as it was then; null: nowhere
  email           text,
  -- {by, comment, asks, process}
  about           jsonb not null,
  created_at      timestamptz not null,
  read_at         timestamptz,
  -- how the person wants letters of this kind; none: they get no letter of this
  mode            text not null check (mode in ('at-once', 'daily', 'off', 'none')),
  -- the last letter that told of it
  mail_id         uuid references mails on delete set null,
  resent_at       timestamptz,
  unique (request_id, occasion, kind, recipient),
  check (num_nulls(user_id, organization_id) <> 1),
  check (user_id is not null or email is not null)
);

-- The bell of a person in an organisation, and what is new in it.
create index notices_of_person on notices (user_id, organization_id, created_at desc, id desc);
create index notices_unread on notices (user_id, organization_id) where read_at is null;
-- What went out about a request.
create index notices_of_request on notices (request_id, created_at desc, id desc);
-- What waits for the letter of the day.
create index notices_of_the_day on notices (organization_id, user_id) where mode = 'daily' and mail_id is null;
create index on notices (mail_id) where mail_id is not null;

create table request_reminders (
  request_id uuid not null references signing_requests,
  number     integer not null check (number > 0),
  at         timestamptz not null,
  -- null: by the clock
  by         uuid references users,
  primary key (request_id, number)
);

-- The way of a letter: server/mail/outbox.ts. Letters of before were sent, or are still to be.
alter table mails
  add column state text not null default 'queued'
    check (state in ('queued', 'handing-over', 'sent', 'refused', 'failed', 'uncertain', 'kept')),
  -- from when on the mail server may have it
  add column handed_over_at timestamptz,
  -- what the mail server answered last
  add column reply_code integer,
  add column unsubscribe_url text;

update mails set state = 'sent' where sent_at is not null;
update mails set state = 'kept'
  where sent_at is null and exists (select from installation where mode = 'demo');

create index mails_not_sent on mails (state) where state <> 'sent';

-- Secrets of the server that every process shares: made by whichever needs one first.
create table server_keys (
  name       text primary key,
  value      bytea not null check (length(value) >= 32),
  created_at timestamptz not null
);
