import { useQuery } from '@tanstack/react-query'
import { signedInQuery, type SignedIn } from './queries.ts'

/** For pages that anyone may open. Undefined while loading; null when nobody is signed in or the call failed. */
export function useWhoIsSignedIn(): SignedIn | undefined {
  const { data, isError } = useQuery(signedInQuery())
  return isError ? null : data
}
