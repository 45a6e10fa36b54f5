/** The worker that reads the texts of documents. They are untrusted, so it may be killed at any time (decision 019). */
import { wordsOf } from '@kelisim/domain/search/folding.ts'
import { serveJobs } from '../../workers/child.ts'
import { readLines } from './read-lines.ts'
import { mostWords, withinLimits, type ReadJob, type ReadResult } from './read-job.ts'

serveJobs(() => read)

async function read(job: ReadJob): Promise<ReadResult> {
  const pages = withinLimits(await readLines(job))
  return { pages, words: wordsOf(pages.join('\n')).slice(0, mostWords) }
}
