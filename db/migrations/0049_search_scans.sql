-- Scans are recognised one after the other, the newest first, when nothing else waits.
create index search_texts_scans on search_texts (file_id desc) where state = 'scan';
