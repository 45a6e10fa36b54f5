/** The worker that reads and compares two documents. They are untrusted, so it may be killed at any time (decision 019). */
import { compareTexts, type Paragraph } from '@kelisim/domain/comparison/comparison.ts'
import { paragraphsOf } from '@kelisim/domain/comparison/paragraphs.ts'
import { longestText } from '../search/texts/read-job.ts'
import { readLines } from '../search/texts/read-lines.ts'
import { serveJobs } from '../workers/child.ts'
import type { CompareJob, CompareResult, FileToCompare } from './compare-job.ts'

serveJobs(() => compare)

async function compare(job: CompareJob): Promise<CompareResult> {
  const before = await textOf(job.before)
  const after = await textOf(job.after)
  const hasBoth = before.paragraphs.length > 0 && after.paragraphs.length > 0
  return {
    hasTextBefore: before.paragraphs.length > 0,
    hasTextAfter: after.paragraphs.length > 0,
    isCut: before.isCut || after.isCut,
    rows: hasBoth ? compareTexts(before.paragraphs, after.paragraphs) : [],
  }
}

async function textOf(file: FileToCompare): Promise<{ paragraphs: Paragraph[]; isCut: boolean }> {
  const hasPages = file.format === 'pdf'
  const read = paragraphsOf(await readLines(file), hasPages)
  const all = read.length > 0 ? read : paragraphsOf(file.recognised, hasPages)
  let length = 0
  const paragraphs = all.filter(({ text }) => (length += text.length) <= longestText)
  return { paragraphs, isCut: length >= longestText }
}
