/** For tests: a timestamp service without a network. */
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import {
  readTimestampRequest,
  stamp,
  timestampResponse,
} from '@kelisim/signature/signer/timestamp-authority.ts'

/** Answers as this authority does, each time with another serial number. */
export function answersOf(authority: CmsSigner, clock: () => Date) {
  let serial = 0
  return async (bytes: Uint8Array): Promise<Uint8Array> => {
    const request = readTimestampRequest(bytes)
    const parts = { authority, request, policy: request.policy!, genTime: clock() }
    return timestampResponse(await stamp({ ...parts, serial: Uint8Array.of(++serial) }))
  }
}
