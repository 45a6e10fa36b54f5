import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { saveBytes } from '../../api/file-api.ts'

/** Saves the electronic document: a CMS with the document, or the PDF or XML itself where it was signed inside. */
export function saveElectronic(bytes: ArrayBuffer, fileName: string): void {
  const beginning = new TextDecoder('latin1').decode(bytes.slice(0, 5))
  if (beginning === '%PDF-') saveBytes(bytes, fileName, mediaTypes.pdf)
  else if (/^(ï»¿)?\s*</.test(beginning)) saveBytes(bytes, fileName, mediaTypes.xml)
  // An XML document with several signers comes as an archive with one file for each signer.
  else if (beginning.startsWith('PK')) saveBytes(bytes, `${fileName}.zip`, 'application/zip')
  else saveBytes(bytes, `${fileName}.cms`, 'application/pkcs7-mime')
}
