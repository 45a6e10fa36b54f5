/** The text layer of a PDF, page by page. Words that are hyphenated at the end of a line are joined. */
import { readFile } from 'node:fs/promises'
import { longestText, mostPages } from './read-job.ts'

export async function readPdf(path: string): Promise<string[]> {
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const task = getDocument({
    data: new Uint8Array(await readFile(path)),
    useSystemFonts: false,
    disableFontFace: true,
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    const document = await task.promise
    const pages: string[] = []
    let length = 0
    for (let number = 1; number <= Math.min(document.numPages, mostPages) && length < longestText; number++) {
      const page = await document.getPage(number)
      const { items } = await page.getTextContent()
      const text = items
        .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
        .join('')
        .replaceAll(/(\p{L})-\n(\p{Ll})/gu, '$1$2')
      pages.push(text)
      length += text.length
      page.cleanup()
    }
    return pages
  } finally {
    await task.destroy()
  }
}
