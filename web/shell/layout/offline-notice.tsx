import { useEffect, useSyncExternalStore } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { second } from '@kelisim/domain/durations.ts'
import { isConnectionLost, noteConnection, onConnectionChange } from '../../api/connection.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { WarningIcon } from '../../ui/look/icons.tsx'
import classes from './notices.module.css'

/** How often an unreachable server is tried again. */
const askedAgainAfter = 5 * second

/** Says that the server cannot be reached; disappears when it can be again, and the shown data is then refetched. */
export function OfflineNotice() {
  const { t } = useTexts('shell')
  const client = useQueryClient()
  const isLost = useSyncExternalStore(onConnectionChange, isConnectionLost)
  useEffect(() => {
    const onOffline = () => noteConnection(false)
    const onOnline = () => void askServer()
    window.addEventListener('offline', onOffline)
    window.addEventListener('online', onOnline)
    if (!navigator.onLine) onOffline()
    return () => {
      window.removeEventListener('offline', onOffline)
      window.removeEventListener('online', onOnline)
    }
  }, [])
  useEffect(() => {
    if (!isLost) return undefined
    const timer = setInterval(() => void askServer(), askedAgainAfter)
    return () => {
      clearInterval(timer)
      void client.invalidateQueries()
    }
  }, [isLost, client])
  if (!isLost) return null
  return (
    <p className={`${classes.notice} ${classes.offline}`} role="alert">
      <WarningIcon size={18} />
      <span>{t('offline')}</span>
    </p>
  )
}

async function askServer(): Promise<void> {
  try {
    await fetch('/health', { cache: 'no-store' })
    noteConnection(true)
  } catch {
    noteConnection(false)
  }
}
