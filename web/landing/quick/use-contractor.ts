/** Looks up the organisation with a number while it is typed. */
import { useEffect, useState } from 'react'
import { hasRightCheckDigit, isPersonNumber } from '@kelisim/domain/numbers.ts'
import { getQuickContractor } from '@kelisim/domain/landing/quick-send-contract.ts'
import { ApiError, call } from '../../api/api.ts'

export type Contractor =
  | { kind: 'none' | 'searching' | 'notFound' | 'unavailable' | 'person' }
  | { kind: 'found'; name: string }

const pause = 400

export function useContractor(bin: string): Contractor {
  const [found, setFound] = useState<{ bin: string; contractor: Contractor } | null>(null)
  const isWhole = hasRightCheckDigit(bin)
  const isPerson = isWhole && isPersonNumber(bin)

  useEffect(() => {
    if (!isWhole || isPerson) return
    const leaving = new AbortController()
    const asking = setTimeout(() => {
      call(getQuickContractor, { bin }, leaving.signal, { isOpenToAll: true }).then(
        ({ name }) => setFound({ bin, contractor: { kind: 'found', name } }),
        (error: unknown) => {
          if (leaving.signal.aborted) return
          const isUnknown = error instanceof ApiError && error.alias === 'contractor-not-found'
          setFound({ bin, contractor: { kind: isUnknown ? 'notFound' : 'unavailable' } })
        },
      )
    }, pause)
    return () => {
      clearTimeout(asking)
      leaving.abort()
    }
  }, [bin, isWhole, isPerson])

  if (!isWhole) return { kind: 'none' }
  if (isPerson) return { kind: 'person' }
  return found?.bin === bin ? found.contractor : { kind: 'searching' }
}
