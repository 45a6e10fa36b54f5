/** The worker that reads the texts of documents. They are untrusted, so it may be killed at any time (decision 019). */
import { wordsOf } from '@kelisim/domain/search/folding.ts'
import { serveJobs } from '../../workers/child.ts'
import { readOffice } from './read-office.ts'
import { readPdf } from './read-pdf.ts'
import { mostWords, withinLimits, type ReadJob, type ReadResult } from './read-job.ts'

serveJobs(() => read)

async function read(job: ReadJob): Promise<ReadResult> {
  const pages = withinLimits(await pagesOf(job))
  return { pages, words: wordsOf(pages.join('\n')).slice(0, mostWords) }
}

async function pagesOf({ path, format }: ReadJob): Promise<string[]> {
  switch (format) {
    case 'pdf':
      return readPdf(path)
    case 'docx':
    case 'xlsx':
      return readOffice(path, format)
    case 'doc':
    case 'xls':
      // Nobody needs a reader of formats that are sent once in a while.
      return []
  }
}
