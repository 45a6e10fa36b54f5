/** The upload dialog of every page: opened by the New document button, or by files that are dropped anywhere. */
import { lazy, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { loadTexts } from '../i18n/language.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { useAddress } from '../ui/browser/address.ts'
import { useDroppedFiles } from '../ui/browser/file-drop.ts'
import type { Search } from '../ui/browser/search.ts'
import { MountOnOpen } from '../ui/dialogs/mount-on-open.tsx'
import { OutgoingIcon } from '../ui/look/icons.tsx'
import classes from './upload-anywhere.module.css'

const UploadDialog = lazy(async () => {
  const [{ UploadDialog: dialog }] = await Promise.all([
    import('./upload-dialog.tsx'),
    loadTexts('documents'),
  ])
  return { default: dialog }
})

export function useUploadDialog(): (isShown: boolean) => void {
  const navigate = useNavigate()
  return (isShown) =>
    void navigate({
      to: '.',
      search: ({ upload: _, ...rest }: Search) => (isShown ? { ...rest, upload: true } : rest),
      replace: !isShown,
    })
}

export function UploadAnywhere() {
  const { t } = useTexts('shell')
  const { organization } = useWorkplace()
  const { upload: isOpen = false } = useAddress().search
  const [dropped, setDropped] = useState<readonly File[]>([])
  const show = useUploadDialog()
  const isOver = useDroppedFiles((files) => {
    setDropped(files)
    if (!isOpen) show(true)
  })
  return (
    <>
      {isOver && (
        <div className={classes.overlay}>
          <p role="status">
            <OutgoingIcon size={28} />
            {t('drop')}
          </p>
        </div>
      )}
      <MountOnOpen isOpen={isOpen}>
        <UploadDialog
          // Files are uploaded to the organisation for which they were chosen.
          key={organization.Id}
          isOpen={isOpen}
          dropped={dropped}
          onClose={() => {
            setDropped([])
            show(false)
          }}
        />
      </MountOnOpen>
    </>
  )
}
