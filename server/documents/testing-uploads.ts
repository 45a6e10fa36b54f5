/** For tests: uploads a document as a person would. */
import type { Readable } from 'node:stream'
import type * as z from 'zod/mini'
import { uploadDocument } from '@kelisim/domain/documents/contract.ts'
import { commonRefusals, type ErrorBody } from '@kelisim/domain/errors.ts'
import { publicUrl, type CallResult, type startTestApp } from '../testing.ts'
import { goodPdf } from './testing-corpus.ts'

export type UploadInput = {
  name?: string
  bytes?: Buffer | Readable
  description?: string
  visibilityScope?: number
  documentId?: string
}

export type DocumentView = z.output<typeof uploadDocument.result>

export function uploader({
  app,
  tokenOf,
}: Pick<Awaited<ReturnType<typeof startTestApp>>, 'app' | 'tokenOf'>) {
  return async (
    personId: string,
    organizationId: string,
    { bytes = goodPdf, name = 'Договор.pdf', visibilityScope = 1, ...rest }: UploadInput = {},
  ): Promise<CallResult<DocumentView>> => {
    const response = await app.inject({
      method: 'POST',
      url: `/api/Documents/${organizationId}`,
      query: { name, visibilityScope: String(visibilityScope), ...rest },
      payload: bytes,
      headers: {
        origin: publicUrl.origin,
        cookie: `session=${await tokenOf(personId)}`,
        'content-type': 'application/octet-stream',
      },
    })
    const body = response.json<never>()
    const error: ErrorBody = body
    if (response.statusCode >= 400) {
      const alias = error.ExceptionData.Alias
      if (![...uploadDocument.refusals, ...commonRefusals].includes(alias)) {
        throw new Error(`uploading was refused with ${alias}, which its contract does not list`)
      }
    }
    return { status: response.statusCode, result: body, error, headers: response.headers }
  }
}
