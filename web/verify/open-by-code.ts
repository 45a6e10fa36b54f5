/** Opens a request by its code; loaded when the first code is tried. */
import type * as z from 'zod/mini'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { readCode } from '@kelisim/domain/requests/access-code.ts'
import { downloadByCode, openByCode, type HeldRequest } from '@kelisim/domain/requests/holder-contract.ts'
import { ApiError, call } from '../api/api.ts'
import { fetchFile, saveBytes } from '../api/file-api.ts'

export type Held = z.output<typeof HeldRequest>

/** Why the request did not open: not a code, a wrong code, too many attempts, or no response. */
export type Refused = { why: 'form' | 'wrong' | 'failed' } | { why: 'wait'; seconds: number }

export async function openHeld(typed: string): Promise<{ held: Held } | Refused> {
  const code = readCode(typed)
  // Do not waste one of the few attempts on text that cannot be a code.
  if (!code) return { why: 'form' }
  try {
    return { held: await call(openByCode, { code: code.code }, undefined, { isOpenToAll: true }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 429) return { why: 'wait', seconds: Number(error.parameters['seconds'] ?? 60) }
    return { why: error.status === 403 ? 'wrong' : 'failed' }
  }
}

export async function saveHeld({ id, document }: Held, code: string): Promise<void> {
  const bytes = await fetchFile(downloadByCode, { signingRequestId: id, code })
  saveBytes(bytes, document.fileName, mediaTypes[document.format])
}
