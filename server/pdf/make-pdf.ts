/** From a definition of pdfmake to bytes: the same definition always gives the same ones. */
import { createHash } from 'node:crypto'
import pdfmake from 'pdfmake'
import type { TDocumentDefinitions, TFontFamilyTypes } from 'pdfmake/interfaces.js'

const known: Record<string, Required<TFontFamilyTypes> & Record<string, string>> = {}

/** Nobody's pictures and files get in: there is nothing to fetch, and only our own type to read. */
export function setType(fonts: typeof known): void {
  // The library has one list of them for the whole thread: what others use stays.
  Object.assign(known, fonts)
  const files = Object.values(known).flatMap((faces) => Object.values(faces))
  pdfmake.setFonts(known)
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy((path) => files.includes(path))
}

/** `facts` is all that the definition was made from. */
export async function pdfBytes(definition: TDocumentDefinitions, facts: unknown): Promise<Buffer> {
  const stream = await pdfmake.createPdf(definition).getStream()
  const document = stream as unknown as Printed
  // The moment of making says nothing of the text, and would make every printing another file.
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

/** The document of pdfkit behind pdfmake, as far as we touch it. */
type Printed = NodeJS.EventEmitter & {
  info: Record<string, unknown>
  _id: Buffer
  endMetadata: () => void
  end: () => void
}
