-- expands: a table that older versions neither read nor need.
-- Signatures with an archive timestamp inside (CAdES-LTA), made when somebody asks for one (docs/decisions/098-long-term-signatures.md).
-- Nothing here is ever changed, only added.
create table long_term_signatures (
  signature_id uuid not null references request_signatures,
  -- 0, 1, 2 …: each covers the one before
  number       integer not null,
  cms          bytea not null,
  -- of the newest archive timestamp, and when the first certificate on its path ends
  time         timestamptz not null,
  ends_at      timestamptz not null,
  -- the host of the service
  service      text not null,
  primary key (signature_id, number)
);

create trigger append_only before update or delete on long_term_signatures for each row execute function refuse_change();
create trigger append_only_all before truncate on long_term_signatures for each statement execute function refuse_change();
