/** The files embedded in a PDF, in their order. Loaded with the first PDF, because the PDF reader is large. */
import { openPdf } from '../../documents/preview/pdf-reader.ts'
import type { InputFile } from '@kelisim/signature/container/input-file.ts'

/** A card contains the original and its signatures; a PDF with more files than this is no card. */
const mostFiles = 300
const mostBytes = 256 * 1024 * 1024

/** Empty if the PDF cannot be read: it is then treated as a document. */
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
