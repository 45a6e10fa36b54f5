-- Addresses of programs that are called when something happens to a request of an organisation (Standard Webhooks).
create table webhooks (
  id              uuid primary key,
  organization_id uuid not null references organizations (id),
  url             text not null check (length(url) <= 500),
  -- The member whose view of requests decides what is told.
  acts_as         uuid not null references users (id),
  -- Signs messages; it opens nothing here. Two while a receiver changes over.
  secret          text not null,
  previous_secret text,
  previous_until  timestamptz,
  is_on           boolean not null,
  off_reason      text check (off_reason in ('owner', 'gone', 'failing', 'member-left')),
  -- Up to where the changes of the organisation were made messages.
  position        bigint not null,
  failing_since   timestamptz,
  last_success_at timestamptz,
  made_by         uuid not null references users (id),
  made_at         timestamptz not null,
  check (is_on = (off_reason is null)),
  check ((previous_secret is null) = (previous_until is null))
);

create index on webhooks (organization_id);

create table webhook_deliveries (
  -- The id of the message: the same at every attempt.
  id           uuid primary key,
  webhook_id   uuid not null references webhooks (id) on delete cascade,
  request_id   uuid,
  -- Of the change: messages are sent in its order as far as they succeed.
  position     bigint not null,
  type         text not null,
  body         text not null,
  state        text not null check (state in ('pending', 'delivered', 'failed')),
  attempts     integer not null default 0,
  first_try_at timestamptz,
  last_try_at  timestamptz,
  -- Whoever tries moves it ahead first, so that a message of a dead process is tried again.
  next_try_at  timestamptz,
  status       integer,
  failure      text,
  made_at      timestamptz not null,
  check ((state = 'pending') = (next_try_at is not null))
);

create index on webhook_deliveries (webhook_id, made_at desc, position desc);
create index on webhook_deliveries (next_try_at) where state = 'pending';
create index on webhook_deliveries (made_at);

-- Changes are kept for organisations with a webhook too.
create or replace function note_changes() returns trigger language plpgsql as $$
begin
  insert into organization_changes (organization_id, position, request_id, number)
  select o.id, e.index, e.request_id, e.number
  from added e
  cross join lateral (
    select r.organization_id as id from signing_requests r where r.id = e.request_id
    union
    select p.organization_id from request_points p
    where p.request_id = e.request_id and p.organization_id is not null
    union
    select c.id from request_points p join organizations c on c.bin = p.bin and c.confirmed_at is not null
    where p.request_id = e.request_id and p.bin <> ''
  ) o
  where exists (select from program_tokens t where t.organization_id = o.id)
    or exists (select from webhooks w where w.organization_id = o.id);
  return null;
end $$;
