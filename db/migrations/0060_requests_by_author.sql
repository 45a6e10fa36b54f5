-- The list filtered by an author: how many requests of somebody with that name there are, in whatever organisation.
create index requests_by_author on signing_requests (author_id);
