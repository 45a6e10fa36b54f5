/**
 * Asks before a page with unsaved changes is left by a link, the back button or closing the tab
 * (docs/product/interface.md#n-05).
 */
import { useBlocker } from '@tanstack/react-router'
import { useTexts } from '../../i18n/use-texts.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { isDirty, clearDirty } from '../../ui/form/dirty.ts'
import { dropAllDrafts } from '../../ui/form/drafts.ts'

export function DirtyGuard() {
  const { t } = useTexts()
  const blocker = useBlocker({
    // A change of the query alone (a filter, a page of a list) does not leave the page.
    shouldBlockFn: ({ current, next }) => isDirty() && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      isOpen={blocker.status === 'blocked'}
      title={t('dirty.title')}
      text={t('dirty.text')}
      yes={t('actions.leave')}
      onYes={() => {
        clearDirty()
        dropAllDrafts()
        blocker.proceed?.()
      }}
      onNo={() => blocker.reset?.()}
    />
  )
}
