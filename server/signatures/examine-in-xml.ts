/** Examines a signature that stands inside an XML document. */
import type { Setting } from '@kelisim/signature/examination/policy.ts'
import { examineEnveloped, type EnvelopedExamination } from '@kelisim/signature/xml/enveloped.ts'
import { examineXml } from '@kelisim/signature/xml/examine-xml.ts'
import type { CheckJob } from './check-job.ts'
import { readWhole } from './file-pieces.ts'

/** Without the document, only the certificate can be examined, not the signature. */
export async function examineInXml(
  signature: Uint8Array,
  { document, proved }: Pick<CheckJob, 'document' | 'proved'>,
  settings: Setting,
): Promise<EnvelopedExamination> {
  const whole = document && !(document instanceof Uint8Array) ? readWhole(document.path) : document
  if (whole && whole.length > 0) return examineEnveloped(whole, signature, settings, proved)
  const [only] = (await examineXml(signature, settings))?.signatures ?? []
  return only?.examination ?? { findings: ['not-a-signature'], signers: [] }
}
