/** The files embedded in a PDF, in their order. Loaded with the first PDF, because the PDF reader is large. */
import { openPdf } from '../../documents/preview/pdf-reader.ts'
import type { InputFile } from '@kelisim/signature/container/input-file.ts'

/** A document card has its original and its signatures; more files than this are something else. */
const mostFiles = 300
const mostBytes = 256 * 1024 * 1024

/** Empty if it cannot be read: then it is treated as a document. */
export async function pdfAttachments(pdf: Blob): Promise<InputFile[]> {
  const task = openPdf(await pdf.arrayBuffer())
  try {
    const document = await task.promise
    const attachments = await document.getAttachments()
    if (!attachments || attachments.size > mostFiles) return []
    const files: InputFile[] = []
    let bytes = 0
    for (const [id, { filename }] of attachments) {
      const content = await document.getAttachmentContent(id)
      if (!content) return []
      bytes += content.length
      if (bytes > mostBytes) return []
      files.push({ name: filename === '' ? id : filename, blob: new Blob([new Uint8Array(content)]) })
    }
    return files
  } catch {
    return []
  } finally {
    await task.destroy()
  }
}
