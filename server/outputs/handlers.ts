/** Outputs of a request: asking for one, its state and its download (docs/product/outputs.md). */
import { extname } from 'node:path'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { refuse, type Alias } from '@kelisim/domain/errors.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import {
  downloadOutput,
  generateEvidence,
  generateSignedDocument,
  generateSigningReport,
  getOutputs,
  type OutputKind,
} from '@kelisim/domain/outputs/contract.ts'
import { notFoundAliases } from '@kelisim/domain/outputs/output.ts'
import { processKinds } from '@kelisim/domain/requests/status.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { getFile } from '../documents/queries.ts'
import type { Storage } from '../documents/storage/storage.ts'
import { borrowVerified } from '../documents/storage/verified.ts'
import type { Files } from '../http/files.ts'
import type { Serve } from '../http/serve.ts'
import { partyOf, visibleRequest, type CallerIdentity } from '../requests/core/party.ts'
import { findProofLife } from './archive/records.ts'
import { askFor, findOutput, outputsOf, type QueueOutput, type Subject } from './core/asking.ts'

type OutputDependencies = { storage: Storage; queueOutput: QueueOutput }

export function outputHandlers(
  serve: Serve,
  files: Files,
  { storage, queueOutput }: OutputDependencies,
): void {
  serve(getOutputs, async ({ input, who, db, now, language }) => {
    const subject = await subjectOf(db, input.signingRequestId, who, language, now)
    const outputs = await outputsOf(db, subject, now)
    const life = await findProofLife(db, input.signingRequestId)
    return {
      outputs,
      isPrintUnsupported: subject.loaded.row.format !== 'pdf',
      proof: life && {
        holdsUntil: life.holdsUntil.toISOString(),
        renewedFrom: life.renewedFrom.toISOString(),
      },
    }
  })

  type AskCall = {
    input: { signingRequestId: string }
    who: CallerIdentity
    db: Db
    now: Date
    language: Language
  } & {
    write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  }
  const ask = async (kind: OutputKind, { input, who, db, write, now, language }: AskCall) => {
    const subject = await subjectOf(db, input.signingRequestId, who, language, now)
    return write((tx) => askFor(tx, kind, subject, queueOutput, now))
  }

  serve(generateSignedDocument, (call) =>
    ask(call.input.associationType === processKinds.terminating ? 'terminating' : 'printable', call),
  )
  serve(generateSigningReport, (call) => ask('report', call))
  serve(generateEvidence, (call) => ask('evidence', call))

  files.give(downloadOutput, async ({ input, who, db, now, language }) => {
    const subject = await subjectOf(db, input.signingRequestId, who, language, now)
    const output = await findOutput(db, input.kind, subject, now)
    if (!output) return refuse(notFoundAliases[input.kind])
    if (output.state === 'in-process') return refuse('generation-in-progress')
    if (output.fileId === null) return refuse((output.failure as Alias | null) ?? 'generation-failure')
    const file = await getFile(db, output.fileId)
    const borrowed = await borrowVerified(storage, file)
    const mediaType = extname(output.fileName) === '.pdf' ? mediaTypes.pdf : 'application/zip'
    return { ...borrowed, size: file.size, name: output.fileName, mediaType }
  })
}

async function subjectOf(
  db: Db,
  requestId: string,
  who: CallerIdentity,
  language: Language,
  now: Date,
): Promise<Subject> {
  const party = await partyOf(db, who, now)
  return { loaded: await visibleRequest(db, requestId, party), viewer: party.viewer, language }
}
