import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { saveBytes } from '../../api/file-api.ts'

/** Saves the electronic document: a CMS with the document, or the PDF itself where it was signed inside. */
export function saveElectronic(bytes: ArrayBuffer, fileName: string): void {
  const isPdf = new TextDecoder('latin1').decode(bytes.slice(0, 5)) === '%PDF-'
  if (isPdf) saveBytes(bytes, fileName, mediaTypes.pdf)
  else saveBytes(bytes, `${fileName}.cms`, 'application/pkcs7-mime')
}
