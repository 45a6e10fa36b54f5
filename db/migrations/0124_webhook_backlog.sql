-- expands: an index; an older version does not know it
-- Which receivers have messages, and the next one of each, however many wait for a receiver that does not answer.
create index on webhook_deliveries (webhook_id, next_try_at, position) where state = 'pending';
