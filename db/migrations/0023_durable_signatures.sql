-- What makes a signature last: timestamps asked for by us, and the lists that verdicts rest on.

-- Of signatures that came without one. The signature itself stays as it came; this stands beside it.
create table signature_timestamps (
  signature_id uuid primary key references request_signatures,
  -- RFC 3161, over the value of the signature
  token        bytea not null,
  -- the time it proves
  time         timestamptz not null,
  -- what the check of the signature with this timestamp rests on: chains and answers about revocation of that moment
  evidence     jsonb not null,
  kept_at      timestamptz not null
);

-- Lists of revoked certificates that accepted verdicts rest on, each once, however many rest on it.
create table revocation_lists (
  sha256  bytea primary key check (length(sha256) = 32),
  -- gzip
  packed  bytea not null,
  size    integer not null check (size > 0),
  kept_at timestamptz not null
);

create trigger append_only before update or delete on signature_timestamps for each row execute function refuse_change();
create trigger append_only_all before truncate on signature_timestamps for each statement execute function refuse_change();
create trigger append_only before update or delete on revocation_lists for each row execute function refuse_change();
create trigger append_only_all before truncate on revocation_lists for each statement execute function refuse_change();

-- What the transparency log says of an event may leave the house; from where somebody acted and their numbers may not. The
-- log names those by a hash that only this makes again. Null: the event is older, and its entry names them openly.
alter table request_events add column salt bytea check (length(salt) = 16);
alter table request_events alter column salt set default uuid_send(gen_random_uuid());
