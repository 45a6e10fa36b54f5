/** Sends one file. The idempotency keys are derived from its content, so running the command again sends it once. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { Kelisim, ProgramRequest } from '../client.ts'
import type { Recipient } from './arguments.ts'

export type Sent = {
  file: string
  to: Recipient
  name: string | null
  description: string
  /** What the organisation calls it; it may give the request its number. */
  kindId: string | null
  /** Distinguishes sendings of the same file. */
  occasion: string
}

export async function sendFile(
  kelisim: Kelisim,
  { file, to, name, description, kindId, occasion }: Sent,
): Promise<ProgramRequest> {
  const bytes = new Uint8Array(readFileSync(file))
  const fileName = basename(file)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const keyOf = (act: string) =>
    createHash('sha256')
      .update(
        JSON.stringify([
          act,
          sha256,
          fileName,
          to,
          name,
          description,
          occasion,
          ...(kindId === null ? [] : [kindId]),
        ]),
      )
      .digest('hex')
  const document = await kelisim.uploadDocument({ name: fileName }, bytes, { key: keyOf('upload') })
  const common = {
    documentId: document.id,
    name: name ?? basename(file, extname(file)),
    description,
    ...(kindId !== null && { kindId }),
  }
  const options = { key: keyOf('send') }
  return 'routeId' in to
    ? kelisim.sendByRoute({ ...common, ...to }, options)
    : kelisim.sendToRecipient({ ...common, ...to }, options)
}
