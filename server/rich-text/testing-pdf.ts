/** For tests: the text and the attachments of a PDF. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The text of each page on a line of its own, without gaps between the lines of a page. */
export async function pdfText(pdf: Uint8Array): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(pdf) }).promise
  const pages: string[] = []
  for (let i = 1; i <= document.numPages; i++) {
    const { items } = await (await document.getPage(i)).getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(''))
  }
  return pages.join('\n')
}

/** The attachments in order. */
export async function attachmentsOf(pdf: Uint8Array): Promise<{ name: string; content: Uint8Array }[]> {
  const document = await getDocument({ data: new Uint8Array(pdf) }).promise
  const found = [...((await document.getAttachments()) ?? [])]
  return Promise.all(
    found.map(async ([id, { filename }]) => ({
      name: filename,
      content: (await document.getAttachmentContent(id)) as Uint8Array,
    })),
  )
}
