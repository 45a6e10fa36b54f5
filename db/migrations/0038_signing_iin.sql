-- The IIN of the key with which an account signs documents, where it has proved none. A signature over a document can be a
-- copy of one that its owner gave elsewhere, so this opens nothing that is addressed to the IIN.

alter table users add column signing_iin text check (signing_iin ~ '^[0-9]{12}$');

create index users_signing_iin on users (signing_iin) where signing_iin is not null;
