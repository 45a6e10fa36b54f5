-- expands: whether the notice of a turn reached its reader goes into the history (decision 094); a version that does not know it writes none

-- Of notices by which somebody is asked: awaited until it is known, then what the history says. Null: nothing is recorded of it.
alter table notices add column receipt text check (receipt in ('awaited', 'delivered', 'undelivered'));

create index notices_receipts on notices (request_id) where receipt in ('awaited', 'undelivered');
