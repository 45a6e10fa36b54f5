-- The transparency log: every event of every request, in the order in which they were accepted, as leaves of a Merkle tree
-- (RFC 9162). Whoever holds a signed head of the tree can be shown that what they were told is in it, and that nothing
-- before it was changed, taken out or moved.

-- One row: how many leaves there are, and the complete subtrees on the right edge, from left to right, from which all that
-- comes is made. Whoever appends holds it until the commit, so that leaves are numbered without gaps.
create table log_size (
  is_only boolean primary key default true check (is_only),
  size    bigint not null check (size >= 0),
  edge    bytea[] not null
);
insert into log_size (size, edge) values (0, '{}');

create table log_entries (
  index      bigint primary key check (index >= 0),
  request_id uuid not null,
  number     integer not null,
  unique (request_id, number),
  foreign key (request_id, number) references request_events
);

-- Subtrees that are complete: they never change again. Level 0 are the leaves.
create table log_nodes (
  level integer not null check (level >= 0),
  index bigint not null check (index >= 0),
  hash  bytea not null check (length(hash) = 32),
  primary key (level, index)
);

-- What was signed, and may have been shown to others.
create table log_heads (
  size      bigint primary key check (size >= 0),
  at        timestamptz not null,
  root      bytea not null check (length(root) = 32),
  key_id    bytea not null check (length(key_id) = 32),
  signature bytea not null
);

create trigger append_only before update or delete on log_entries for each row execute function refuse_change();
create trigger append_only_all before truncate on log_entries for each statement execute function refuse_change();
create trigger append_only before update or delete on log_nodes for each row execute function refuse_change();
create trigger append_only_all before truncate on log_nodes for each statement execute function refuse_change();
create trigger append_only before update or delete on log_heads for each row execute function refuse_change();
create trigger append_only_all before truncate on log_heads for each statement execute function refuse_change();
