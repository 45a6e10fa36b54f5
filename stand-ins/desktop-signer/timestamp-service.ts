/** The timestamps of the desktop program. */
import type { HashName } from '@kelisim/signature/algorithms/hash.ts'
import { askTimestamp } from '../shared/ask-timestamp.ts'
import { ProgramError } from './prompting/program-error.ts'

/** Stamps the bytes of a signature made with this hash. */
export type Stamp = (signature: Uint8Array, signersHash: HashName) => Promise<Uint8Array>

export function timestampService(address: string | null): Stamp {
  return async (signature, signersHash) => {
    if (address === null) throw new ProgramError('TIMESTAMP_CREATION_FAILURE')
    try {
      return await askTimestamp(address, signature, signersHash)
    } catch {
      // the program has one error for every failure of the service
      throw new ProgramError('TIMESTAMP_CREATION_FAILURE')
    }
  }
}
