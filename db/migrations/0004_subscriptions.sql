-- What an organisation has bought, and how much of it is used.

create table subscriptions (
  id                   uuid primary key,
  organization_id      uuid not null references organizations on delete cascade,
  name_key             text not null check (name_key in ('start', 'standard', 'promo', 'classic', 'premium')),
  start_date           date not null,
  end_date             date not null,
  max_signing_requests int check (max_signing_requests >= 0), -- null: unlimited
  created_at           timestamptz not null,
  check (start_date <= end_date)
);

create index on subscriptions (organization_id, start_date);

-- Counted in the transaction that creates a signing request; months as Asia/Almaty has them.
create table signing_request_counts (
  organization_id uuid not null references organizations on delete cascade,
  month           date not null check (extract(day from month) = 1),
  created         int not null check (created >= 0),
  primary key (organization_id, month)
);
