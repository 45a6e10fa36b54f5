/** Judges the files of the command by what they are: a signature, a document with signatures inside, or a container. */
import { derIn } from '@kelisim/signature/asn1/pem.ts'
import { looksLikePicture } from '@kelisim/signature/container/collect-paper.ts'
import { examineFiles } from '@kelisim/signature/container/examine-files.ts'
import type { FilesSetting } from '@kelisim/signature/container/group.ts'
import { readFile } from '@kelisim/signature/container/kind-of.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import { isPdf } from '@kelisim/signature/pdf/document.ts'
import { examinePdf } from '@kelisim/signature/pdf/examine-pdf.ts'
import { examineXml } from '@kelisim/signature/xml/examine-xml.ts'
import { looksLikeXml } from '@kelisim/signature/xml/read.ts'
import type { BundleReport } from './bundle-report.ts'
import { containerReport, onlyBundle } from './containers.ts'
import type { NamedBytes } from './files.ts'
import { pdfReport, signatureReport, xmlReport, type SignatureReport } from './report.ts'

/** `content`: a document that must be among the signed ones. */
export async function reportOf(
  files: readonly NamedBytes[],
  content: NamedBytes | null,
  work: FilesSetting,
): Promise<SignatureReport | BundleReport> {
  const { setting } = work
  const [only, ...more] = files
  if (only && more.length === 0 && !(await isContainer(only))) {
    const { bytes } = only
    if (isPdf(bytes)) return pdfOrCardReport(only, content, work)
    if (looksLikeXml(bytes)) return xmlReport(await examineXml(bytes, setting))
    return signatureReport(await examineSignature(derIn(bytes), content && [content.bytes], setting))
  }
  return filesReport([...files, ...(content ? [content] : [])], work)
}

async function isContainer(file: NamedBytes): Promise<boolean> {
  const { kind } = await readFile(inputFile(file))
  if (kind === 'document') return looksLikePicture(file.bytes)
  return kind === 'archive' || kind === 'bundle' || kind === 'mail' || kind === 'unreadable'
}

/** A PDF with signatures inside is judged by these; one without may have signatures attached. */
async function pdfOrCardReport(
  file: NamedBytes,
  content: NamedBytes | null,
  work: FilesSetting,
): Promise<SignatureReport | BundleReport> {
  const inside = await examinePdf(file.bytes, work.setting)
  if (inside) return pdfReport(inside)
  const report = await filesReport([file, ...(content ? [content] : [])], work)
  return report.signers.length > 0 ? report : pdfReport(null)
}

async function filesReport(
  files: readonly NamedBytes[],
  work: FilesSetting,
): Promise<SignatureReport | BundleReport> {
  const groups = await examineFiles(files.map(inputFile), work)
  return onlyBundle(groups) ?? containerReport(groups)
}

function inputFile({ name, bytes }: NamedBytes) {
  return { name, blob: new Blob([Uint8Array.from(bytes)]) }
}
