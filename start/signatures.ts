import type { Logger } from 'pino'
import { minute } from '@kelisim/domain/durations.ts'
import type { Config } from '@kelisim/server/config.ts'
import { takeFrom, type TakeTimestamp } from '@kelisim/server/outputs/archive/services.ts'
import { examineCrl } from '@kelisim/server/signatures/answer-from-centre.ts'
import { openSignatureChecks, type SignatureChecks } from '@kelisim/server/signatures/check.ts'
import { createOutboundCaller } from '@kelisim/server/signatures/outbound/call.ts'
import { knownServices, openCentre, type Centre } from '@kelisim/server/signatures/outbound/centre.ts'
import { readTrust, testCentresIn, TrustError } from '@kelisim/server/signatures/trust.ts'
import type { VerifyServices } from '@kelisim/server/verify/handlers.ts'

export type ProductSignatures = SignatureChecks & { verify: VerifyServices } & Pick<
    Centre,
    'askTimestamp'
  > & {
    /** For the archive; undefined: no timestamp service is configured. */
    takeTimestamp: TakeTimestamp | undefined
  }

/** Signature checks with the trusted roots and the services of the centres; undefined: no roots are set. */
export function openSignatures(
  { pki, dataDir, ocspByNumber, trustRootsDir, isDemo }: Config,
  clock: () => Date,
  log: Logger,
): ProductSignatures | undefined {
  if (trustRootsDir === undefined) {
    log.warn('TRUST_ROOTS_DIR is not set: digital signatures cannot be checked')
    return undefined
  }
  const trust = readTrust(trustRootsDir)
  const tests = isDemo ? [] : testCentresIn(trust)
  if (tests.length > 0) {
    throw new TrustError(
      `TRUST_ROOTS_DIR has centres for tests, whose keys prove nothing: ${tests.join(', ')}`,
    )
  }
  const caller = createOutboundCaller({ known: knownServices(pki), clock })
  const centre = openCentre({ pki, dataDir, caller, examineCrl, clock })
  const refresh = () =>
    centre.refreshLists().catch((error: unknown) => {
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'revocation lists')
    })
  // A timer and not a chore of the queue, because every process keeps its own copy of the CRLs.
  setInterval(() => void refresh(), 10 * minute).unref()
  const checks = openSignatureChecks({ ...trust, centre })
  return {
    ...checks,
    askTimestamp: centre.askTimestamp,
    takeTimestamp:
      centre.timestampServices.length > 0
        ? takeFrom(centre.timestampServices, checks.checkTimestamp, clock)
        : undefined,
    verify: { trust, askOcsp: centre.askOcsp, ocspUrl: ocspByNumber },
  }
}
