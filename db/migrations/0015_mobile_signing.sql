-- Signing by phone: a one-time way for the national mobile app to a document, of whoever asked for it, at one point.

create table mobile_signings (
  -- 192 random bits: stands in the QR
  id              text primary key check (length(id) = 32),
  -- 256 random bits: said by the app with every call for the document
  token           text not null,
  request_id      uuid not null references signing_requests,
  -- 0 is the signing process, as in request_points
  attempt         integer not null,
  point_id        uuid not null,
  -- who asked, and in whose name (null: their own)
  user_id         uuid references users on delete cascade,
  outsider_id     uuid references outsiders on delete cascade,
  organization_id uuid references organizations on delete cascade,
  comment         text not null check (length(comment) <= 2000),
  -- a path of our own; null: the page is on another device
  back_to         text check (back_to ~ '^/' and length(back_to) <= 2000),
  state           text not null check (state in ('new', 'meta', 'data', 'done', 'canceled', 'fail')),
  -- why nothing was taken in: {alias, parameters}
  refusal         jsonb,
  signature_id    uuid references request_signatures,
  -- of what the app sent: the same sent again is told the same
  answer_hash     bytea,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  check (num_nonnulls(user_id, outsider_id) = 1),
  check ((state = 'done') = (signature_id is not null)),
  check ((state = 'fail') = (refusal is not null))
);

create index on mobile_signings (expires_at);
create index on mobile_signings (user_id) where user_id is not null;
create index on mobile_signings (outsider_id) where outsider_id is not null;
create index on mobile_signings (organization_id) where organization_id is not null;
create index on mobile_signings (request_id);
create index on mobile_signings (signature_id) where signature_id is not null;
