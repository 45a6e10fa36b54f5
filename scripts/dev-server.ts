/**
 * main.ts as `npm run dev` runs it, under `node --watch`. That asks every thread to report what it imports to the parent
 * process, which worker threads cannot do: they would end at their first import.
 */
delete process.env['WATCH_REPORT_DEPENDENCIES']
await import('../main.ts')
