-- Whether a printable document can be made of a file, found out before anybody is asked to sign it. The bytes of a file never
-- change, so it is tried once; printing that works otherwise than before has another version and tries again.

create table file_printability (
  file_id    uuid primary key references files on delete cascade,
  version    integer not null check (version > 0),
  -- null: nothing stands in the way
  fault      text check (fault in ('encrypted', 'broken', 'dynamic')),
  checked_at timestamptz not null
);
