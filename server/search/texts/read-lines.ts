/** The text of a document of any format, with its lines: a text for each page of a PDF, otherwise one. */
import { readOffice } from './read-office.ts'
import { readPdf } from './read-pdf.ts'
import { readXmlText } from './read-xml-text.ts'
import type { ReadJob } from './read-job.ts'

export async function readLines({ path, format }: ReadJob): Promise<string[]> {
  switch (format) {
    case 'pdf':
      return readPdf(path)
    case 'docx':
    case 'xlsx':
      return readOffice(path, format)
    case 'xml':
      return readXmlText(path)
    case 'doc':
    case 'xls':
      // These formats are sent too seldom to be worth a reader.
      return []
  }
}
