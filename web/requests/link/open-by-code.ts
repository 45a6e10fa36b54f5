/** Opens a request by the code of its printed document, for everybody who has the code. */
import type * as z from 'zod/mini'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { readCode } from '@kelisim/domain/requests/access-code.ts'
import { downloadByCode, openByCode, type HeldRequest } from '@kelisim/domain/requests/holder-contract.ts'
import { ApiError, call } from '../../api/api.ts'
import { fetchFile, saveBytes } from '../../api/file-api.ts'

export type HeldRequestView = z.output<typeof HeldRequest>

export type OpenedRequest = { request: HeldRequestView; code: string }

/** Opens the request of a link. */
export async function openHeldRequest(signingRequestId: string, code: string): Promise<OpenedRequest> {
  return { request: await call(openByCode, { signingRequestId, code }), code }
}

/** Why no request opened: not a code, a wrong code, too many attempts, or no response. */
export type Refused = { why: 'form' | 'wrong' | 'failed' } | { why: 'wait'; seconds: number }

/** Searches all requests for the one with this code. */
export async function findHeldRequest(typed: string): Promise<OpenedRequest | Refused> {
  const code = readCode(typed)
  // Do not waste one of the few attempts on text that cannot be a code.
  if (!code) return { why: 'form' }
  try {
    const request = await call(openByCode, { code: code.code }, undefined, { isOpenToAll: true })
    return { request, code: typed }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 429) return { why: 'wait', seconds: Number(error.parameters['seconds'] ?? 60) }
    return { why: error.status === 403 ? 'wrong' : 'failed' }
  }
}

export async function saveHeldDocument({ request, code }: OpenedRequest): Promise<void> {
  const { id, document } = request
  const bytes = await fetchFile(downloadByCode, { signingRequestId: id, code })
  saveBytes(bytes, document.fileName, mediaTypes[document.format])
}
