/** Documents of programs (docs/product/integration.md#w-05). */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type * as z from 'zod/mini'
import { downloadDocument, getDocument, type Document } from '@kelisim/domain/documents/contract.ts'
import { sizeLimits } from '@kelisim/domain/documents/formats.ts'
import {
  downloadProgramDocument,
  getProgramDocument,
  uploadProgramDocument,
  type ProgramDocument,
} from '@kelisim/domain/integration/calls/documents-contract.ts'
import { documentView } from '../documents/handlers.ts'
import { receiveUpload } from '../documents/receive-upload.ts'
import { upload, type Archive } from '../documents/upload.ts'
import type { Files } from '../http/files.ts'
import type { SameHandlers } from '../http/same-handlers.ts'
import type { Serve } from '../http/serve.ts'
import { decodedBase64 } from './base64-body.ts'

const largest = Math.max(...Object.values(sizeLimits))

export function documentCalls(serve: Serve, files: Files, same: SameHandlers, archive: Archive): void {
  files.take(uploadProgramDocument, async ({ input, who, now, write, once, ...body }) => {
    const isText = input.encoding === 'base64'
    // The whole file is received first, because its hash decides whether the call is a repetition.
    const received = await receiveUpload(
      isText ? { file: decodedBase64(body.file), size: null } : body,
      archive.storage,
      largest,
    )
    try {
      return await once(who, { ...input, sha256: received.sha256.toString('hex') }, async (caller) => {
        const { organizationId, options } = caller.member
        const row = await upload(archive, write, {
          organizationId,
          authorId: caller.userId,
          documentId: caller.program.callId,
          name: input.name,
          description: input.description,
          visibility: input.visibility,
          options,
          file: Readable.from(bytesIn(received.path), { objectMode: false }),
          size: received.size,
          now,
        })
        return programDocument(documentView(row, caller, false))
      })
    } finally {
      await received.discard()
    }
  })

  serve(getProgramDocument, async (call) => {
    const { organizationId } = call.who.member
    return programDocument(await same.run(getDocument, call, { organizationId, ...call.input }))
  })

  files.give(downloadProgramDocument, (call) => {
    const { organizationId } = call.who.member
    return same.file(downloadDocument, call, { organizationId, ...call.input })
  })
}

/**
 * The file is opened when it is first read: an upload that is refused before leaves no stream whose error nobody
 * handles.
 */
async function* bytesIn(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path) as AsyncIterable<Buffer>
}

function programDocument(view: z.input<typeof Document>): z.input<typeof ProgramDocument> {
  const { id, name, description, format, size, sha256, createdAt } = view
  return { id, name, description, format, size, sha256, createdAt }
}
