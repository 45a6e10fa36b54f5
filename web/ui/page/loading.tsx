/**
 * Nothing for 200 ms, then a loading display, so that fast responses do not flicker (docs/product/interface.md#n-11).
 */
import { useEffect, useState, type ReactNode } from 'react'
import { Loader, Skeleton } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'

export const displayDelay = 200

export function AfterDelay({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), displayDelay)
    return () => clearTimeout(timer)
  }, [])
  return isShown ? children : null
}

export function Loading() {
  const { t } = useTexts()
  return (
    <AfterDelay>
      <div
        role="status"
        aria-label={t('loading')}
        style={{ display: 'grid', placeItems: 'center', minHeight: 240 }}
      >
        <Loader />
      </div>
    </AfterDelay>
  )
}

/** Placeholders for the content. */
export function LoadingLines({ count = 5 }: { count?: number }) {
  const { t } = useTexts()
  return (
    <AfterDelay>
      <div role="status" aria-label={t('loading')}>
        {Array.from({ length: count }, (_, i) => (
          <Skeleton key={i} height={20} width={`${90 - ((i * 17) % 40)}%`} my={16} />
        ))}
      </div>
    </AfterDelay>
  )
}
