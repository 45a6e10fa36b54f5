-- The archive: accepted signatures with all their evidence, under hash trees whose roots are timestamped, renewed before what
-- they rest on ends (docs/decisions/051-the-archive.md). Nothing here is ever changed, only added.

-- What is archived, byte for byte: the same evidence could be written in another way tomorrow, and would have another hash.
create table archived_signatures (
  signature_id uuid primary key references request_signatures,
  cms          bytea not null,
  archived_at  timestamptz not null
);

create table archive_timestamps (
  id      uuid primary key,
  -- of the tree and of the timestamp
  hash    text not null,
  -- RFC 3161, over the root
  token   bytea not null,
  time    timestamptz not null,
  -- when the first certificate on its path ends
  ends_at timestamptz not null,
  -- the host of the service
  service text not null
);
create index archive_timestamps_ending on archive_timestamps (ends_at);

-- A timestamp that another one covers, and the way up in the tree of that one.
create table archive_renewals (
  timestamp_id uuid primary key references archive_timestamps,
  renewed_by   uuid not null references archive_timestamps,
  siblings     bytea not null
);
create index archive_renewals_by on archive_renewals (renewed_by);

-- Where a signature stands: in the first tree, and in one more each time that the hash was changed.
create table archive_proofs (
  signature_id uuid not null references archived_signatures,
  -- 0, 1, 2 …
  chain        integer not null,
  timestamp_id uuid not null references archive_timestamps,
  -- of the document and of the signature, one after the other
  digests      bytea not null,
  siblings     bytea not null,
  primary key (signature_id, chain)
);
create index archive_proofs_under on archive_proofs (timestamp_id);

create trigger append_only before update or delete on archived_signatures for each row execute function refuse_change();
create trigger append_only_all before truncate on archived_signatures for each statement execute function refuse_change();
create trigger append_only before update or delete on archive_timestamps for each row execute function refuse_change();
create trigger append_only_all before truncate on archive_timestamps for each statement execute function refuse_change();
create trigger append_only before update or delete on archive_renewals for each row execute function refuse_change();
create trigger append_only_all before truncate on archive_renewals for each statement execute function refuse_change();
create trigger append_only before update or delete on archive_proofs for each row execute function refuse_change();
create trigger append_only_all before truncate on archive_proofs for each statement execute function refuse_change();
