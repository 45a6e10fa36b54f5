import { queryOptions } from '@tanstack/react-query'
import { getMyJoinRequests } from '@kelisim/domain/identity/confirmation-contract.ts'
import { getInvitation, getProfile, getRecipient } from '@kelisim/domain/identity/contract.ts'
import { ApiError, call, query } from '../api/api.ts'
import { keepDraftsOf } from '../ui/form/drafts.ts'

export function invitationQuery(token: string) {
  return query(getInvitation, { token })
}

/** Organisations whose owners have not yet accepted or declined the person. */
export function myJoinRequestsQuery() {
  return query(getMyJoinRequests, {})
}

/** Null: nobody is signed in. An outsider has a name and numbers, but no e-mail address to invite. */
export type SignedIn = { fullName: string; email: string | null; isOutsider: boolean } | null

export function signedInQuery() {
  return queryOptions({ queryKey: ['who-is-signed-in'], queryFn: whoIsSignedIn })
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
    const { fullName, iin, bin } = await call(getRecipient, {}, undefined, openly)
    keepDraftsOf(`${iin} ${bin ?? ''}`)
    return { fullName, email: null, isOutsider: true }
  }
}
