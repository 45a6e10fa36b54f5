-- Sign-in by the digital signature: what people are asked to sign, and those who come by it without an account.

create table sign_in_challenges (
  id              text primary key check (length(id) >= 22), -- also the public part of the phone's address
  interaction_uid text not null, -- the sign-in of one browser; nobody else can finish it
  via             text not null check (via in ('desktop', 'phone')),
  content         bytea not null, -- what is signed, byte for byte
  token           text check (length(token) >= 43), -- with what the phone fetches and answers; it reads it at this address
  state           text not null check (state in ('new', 'opened', 'fetched', 'proved', 'refused', 'canceled')),
  faults          jsonb, -- why it was refused
  proof           jsonb, -- whose signature it was
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  used_at         timestamptz, -- one answer each
  check ((via = 'phone') = (token is not null)),
  check ((state = 'proved') = (proof is not null)),
  check ((state = 'refused') = (faults is not null))
);

create index on sign_in_challenges (interaction_uid);
create index on sign_in_challenges (expires_at);

-- A person who proved a number by a signature and has no account: comes to what is addressed to that number.
create table sign_in_outsiders (
  id           uuid primary key, -- the OpenID `sub`
  iin          text not null check (iin ~ '^\d{12}$'),
  bin          text check (bin ~ '^\d{12}$'),
  full_name    text not null check (full_name <> ''),
  organization text,
  certificate  bytea not null, -- of the last sign-in
  language     text not null check (language in ('ru', 'kk', 'en')),
  created_at   timestamptz not null,
  last_came_at timestamptz not null,
  constraint sign_in_outsiders_numbers_key unique nulls not distinct (iin, bin)
);
