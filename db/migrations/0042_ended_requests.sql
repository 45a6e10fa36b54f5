-- The home page tells authors what has ended lately: completed, rejected, terminated.
create index requests_ended_of_author on signing_requests (organization_id, author_id, status_changed_at desc)
  where status in (4, 8, 1024);
