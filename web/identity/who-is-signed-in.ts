import { useQuery } from '@tanstack/react-query'
import { getProfile } from '@kelisim/domain/identity/contract.ts'
import { ApiError, call } from '../api.ts'

/** The e-mail of the signed-in person, null for nobody, undefined while it is asked. A page open to all may ask it. */
export function useWhoIsSignedIn(): string | null | undefined {
  const { data } = useQuery({
    queryKey: ['who-is-signed-in'],
    queryFn: async () => {
      try {
        return (await call(getProfile, {}, undefined, { isOpenToAll: true })).Email
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null
        throw error
      }
    },
  })
  return data
}
