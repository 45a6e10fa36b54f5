/**
 * A signature inside the XML of a bundle: judged in the document of the bundle, whatever the signed XML beside it
 * says.
 */
import { MalformedError } from '../asn1/read.ts'
import { isSame } from '../asn1/values.ts'
import { evidenceAtHand, type Setting } from '../examination/policy.ts'
import { readCrl, type Crl } from '../revocation/crl.ts'
import { examineEnveloped, withSignature, type EnvelopedExamination } from '../xml/enveloped.ts'
import { XmlError } from '../xml/nodes.ts'
import { hasTimestampInside } from '../xml/evidence-properties.ts'
import { bundleLimits, type BundleReader, type BundleSignatureFiles } from './bundle.ts'
import { readWhole } from './reading.ts'

/** Null: the signed XML is not made of the document and the signature. */
export async function examineInXml(
  files: BundleReader,
  { cms, durable, signedXml, lists }: BundleSignatureFiles,
  documentFile: string,
  settingFor: (isStamped: boolean) => Omit<Setting, 'evidence'>,
): Promise<EnvelopedExamination | null> {
  const [came, proved] = [await readWhole(files, cms), await readWhole(files, durable)]
  const document = await readWhole(files, documentFile, bundleLimits.wholeFile)
  const signed = await readWhole(files, signedXml!, bundleLimits.wholeFile)
  try {
    if (!isSame(withSignature(document, proved), signed)) return null
    const setting = settingFor(hasTimestampInside(proved))
    const crls: Crl[] = []
    for (const list of lists) crls.push(readCrl(await readWhole(files, list)))
    const evidence = evidenceAtHand({ crls, ocsp: [] })
    return await examineEnveloped(document, came, { ...setting, evidence }, proved)
  } catch (error) {
    if (error instanceof XmlError || error instanceof MalformedError)
      return { findings: ['damaged'], signers: [] }
    throw error
  }
}
