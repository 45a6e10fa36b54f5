/** The worker that reads tables. They are untrusted, so it may be killed at any time. */
import { serveJobs } from '../workers/child.ts'
import { readTable } from './read-table.ts'

serveJobs(
  () =>
    ({ path }: { path: string }) =>
      readTable(path),
)
