/** Renders a pdfmake definition: the same definition always gives the same bytes. */
import { createHash } from 'node:crypto'
import pdfmake from 'pdfmake'
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { golosText, notoSerif } from './fonts.ts'

/** The font families that definitions may name. */
const families = { Golos: golosText, Serif: notoSerif }
const fontFiles = Object.values(families).flatMap((faces) => Object.values(faces))

// Documents contain text of users: the library must not fetch anything or read files other than our fonts.
pdfmake.setFonts(families)
pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => fontFiles.includes(path))

/** `facts` is everything the definition was made from; the id of the file is derived from it. */
export async function pdfBytes(definition: TDocumentDefinitions, facts: unknown): Promise<Buffer> {
  const stream = await pdfmake.createPdf(definition).getStream()
  const document = stream as unknown as Printed
  // The creation time would make every printing a different file.
  delete document.info['CreationDate']
  document.endMetadata = () => {}
  document._id = createHash('sha256').update(JSON.stringify(facts)).digest().subarray(0, 16)
  const pieces: Buffer[] = []
  return new Promise((resolve, reject) => {
    document.on('data', (piece: Buffer) => pieces.push(piece))
    document.on('end', () => resolve(Buffer.concat(pieces)))
    document.on('error', reject)
    document.end()
  })
}

/** The pdfkit document behind pdfmake, as far as we use it. */
type Printed = NodeJS.EventEmitter & {
  info: Record<string, unknown>
  _id: Buffer
  endMetadata: () => void
  end: () => void
}
