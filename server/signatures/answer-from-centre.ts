/** Calls the centre's services for a check, on the thread that has network access. */
import { crlHeaderLength, readCrlHeader } from '@kelisim/signature/revocation/crl-header.ts'
import type { CrlAnswer, OcspAnswer, Question } from './check-job.ts'
import { readStart } from './file-pieces.ts'
import type { Centre } from './outbound/centre.ts'
import { OutboundFailure } from './outbound/failure.ts'

/** Checks ask only about chains they have found trusted. */
export async function answerFrom(centre: Centre, question: Question): Promise<OcspAnswer | CrlAnswer> {
  const isChainTrusted = true
  if (question.kind === 'ocsp') {
    try {
      const named = { isChainTrusted, ocsp: question.addresses, crl: [] } as const
      return { response: await centre.askOcsp(question.request, named) }
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error
      return error.reason === 'no-address' ? { isUnasked: true } : { isUnreachable: true }
    }
  }
  const files = await centre.crlFiles({ isChainTrusted, ocsp: [], crl: question.addresses })
  return {
    paths: files.flatMap((file) => ('path' in file ? [file.path] : [])),
    isUnreachable: files.some((file) => 'failure' in file),
  }
}

/** When a CRL file must be downloaded again. The check that uses the file verifies whether it is authentic. */
export async function examineCrl(path: string): Promise<Date> {
  const { start, size } = await readStart(path, crlHeaderLength)
  const { thisUpdate, nextUpdate } = readCrlHeader(start, size)
  return nextUpdate ?? thisUpdate
}
