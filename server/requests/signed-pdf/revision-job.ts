/**
 * Input and output of the worker that adds signatures and their evidence to PDFs, and tries whether a document can be
 * signed inside.
 */
import type { SignatureForm } from '@kelisim/domain/points/signature-form.ts'
import { printFaults } from '@kelisim/pdf/incremental/original.ts'
import type { SignatureEvidence } from '@kelisim/pdf/incremental/evidence-increment.ts'
import type { Gap } from '@kelisim/pdf/incremental/signature-increment.ts'
import { xmlSigningFaults } from '@kelisim/signature/xml/enveloped.ts'

export type FormInside = Exclude<SignatureForm, 'cms'>

/** Why nothing can be signed inside a document. */
export const signingFaults = [
  ...printFaults,
  /** A signature that is already there forbids others, or would no longer be valid with another one. */
  'closed',
  ...xmlSigningFaults.filter((fault) => fault !== 'broken'),
] as const
export type SigningFault = (typeof signingFaults)[number]

export type RevisionJob =
  /** Tries to sign, without a signature. */
  | { task: 'try'; form: FormInside; path: string; room: number }
  /** Writes the bytes that the next signature covers to `outPath`. */
  | { task: 'prepare'; path: string; outPath: string; at: Date; room: number }
  /** Appends the evidence to the signed PDF at `path`. */
  | { task: 'prove'; path: string; evidence: SignatureEvidence }

export type RevisionResult = { gap: Gap } | { fault: SigningFault | null }
