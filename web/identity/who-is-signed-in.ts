import { useQuery } from '@tanstack/react-query'
import { getProfile, getRecipient } from '@kelisim/domain/identity/contract.ts'
import { ApiError, call } from '../api/api.ts'

/** Null: nobody. An outsider has a name and numbers, but no e-mail that anybody could be invited by. */
export type SignedIn = { fullName: string; email: string | null; isOutsider: boolean } | null

/** Undefined while it is asked; nobody if that cannot be told. A page that is open to all may ask it. */
export function useWhoIsSignedIn(): SignedIn | undefined {
  const { data, isError } = useQuery({ queryKey: ['who-is-signed-in'], queryFn: whoIsSignedIn })
  return isError ? null : data
}

async function whoIsSignedIn(): Promise<SignedIn> {
  const openly = { isOpenToAll: true }
  try {
    const { FullName, Email } = await call(getProfile, {}, undefined, openly)
    return { fullName: FullName, email: Email, isOutsider: false }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) return null
    if (error.alias !== 'account-needed') throw error
    const { fullName } = await call(getRecipient, {}, undefined, openly)
    return { fullName, email: null, isOutsider: true }
  }
}
