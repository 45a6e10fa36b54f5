/** Signatures that can be judged in ten years: each with its timestamp, its chain and what was said of revocation then. */
import type { CertificateFacts } from '../signatures/kept-evidence.ts'

export type DurableSignature = {
  id: string
  /** Readable, safe on any disk, and no two alike. */
  fileName: string
  signer: string
  /** In whose name: of the point. */
  side: { name: string; bin: string }
  receivedAt: Date
  /** When a timestamp proves that it existed. */
  timestampTime: Date | null
  verdict: { verdict: string; subIndication: string | null; code: string | null; faults: string[] } | null
  certificate: CertificateFacts | null
  /** Detached, with the evidence among what is not signed. */
  cms: Uint8Array
}
