-- Digests of documents by the algorithms of signatures (decision 041), made when the first signature needs one. They belong to the
-- SHA-256 of the bytes, not to a file: whoever uses one has compared that SHA-256 with the bytes just before.
create table file_digests (
  sha256    bytea not null check (length(sha256) = 32),
  algorithm text not null,
  digest    bytea not null check (length(digest) between 20 and 64),
  primary key (sha256, algorithm)
);

create trigger append_only before update on file_digests for each row execute function refuse_change();
