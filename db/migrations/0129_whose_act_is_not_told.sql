-- expands: an older version tells the same of what people did themselves
-- Notices of what follows from an act named whoever did it, also to those who may not know. Only notices of acts themselves name somebody.
update notices set about = about || '{"by": null}'
where kind in ('request-for-me', 'turn-came', 'completed', 'terminated', 'decided', 'overdue', 'escalated', 'reminder')
  and about ->> 'by' is not null;
