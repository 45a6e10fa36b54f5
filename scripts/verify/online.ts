/** `--online`: evidence from the services that the certificates of a trusted chain name. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EvidenceSource } from '@kelisim/signature/examination/policy.ts'
import { answerFrom, examineCrl } from '../../server/signatures/answer-from-centre.ts'
import { evidenceFromServices } from '../../server/signatures/evidence.ts'
import { createOutboundCaller } from '../../server/signatures/outbound/call.ts'
import { knownServices, openCentre } from '../../server/signatures/outbound/centre.ts'

const pki = { ocspUrl: undefined, tspUrl: undefined, crlUrls: [], privateHosts: [] }

/** Takes evidence from given files first, then from the services. */
export function evidenceOnline(atHand: EvidenceSource): EvidenceSource {
  const dataDir = mkdtempSync(join(tmpdir(), 'kelisim-verify-'))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const clock = () => new Date()
  const caller = createOutboundCaller({ known: knownServices(pki), clock })
  const centre = openCentre({ pki, dataDir, caller, examineCrl, clock })
  const evidenceAt = evidenceFromServices((question) => answerFrom(centre, question))
  return async (...asked) => {
    const [given, fetched] = [await atHand(...asked), await evidenceAt(clock())(...asked)]
    return {
      crls: [...given.crls, ...fetched.crls],
      ocsp: [...given.ocsp, ...fetched.ocsp],
      unreachable: fetched.unreachable ?? [],
    }
  }
}
