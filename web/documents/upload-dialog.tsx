/**
 * The upload dialog: files are dropped or chosen, one visibility is chosen for all of them, then each file is
 * uploaded separately.
 */
import { useId, useState } from 'react'
import { Button, Group, Modal, Radio, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { scopeOf, type Visibility } from '@kelisim/domain/visibility.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { RadioCard } from '../ui/form/choices.tsx'
import { typedText, useLimitNote } from '../ui/form/typed-text.ts'
import { WarningIcon } from '../ui/look/icons.tsx'
import { DropZone } from './drop-zone.tsx'
import classes from './upload.module.css'
import { UploadRow } from './upload-row.tsx'
import { failuresFirst, problemOf } from './uploads.ts'
import { useUploads, type About, type Uploads } from './use-uploads.ts'

const longestDescription = 1000

export function UploadDialog(props: {
  isOpen: boolean
  /** Files that were dropped on the page; a new array is a new drop. */
  dropped: readonly File[]
  onClose: () => void
}) {
  const { isOpen, dropped, onClose } = props
  const { t } = useTexts('documents')
  const { organization, options } = useWorkplace()
  const uploads = useUploads(organization.Id, options)
  const [visibility, setVisibility] = useState<Visibility>('private')
  const [description, setDescription] = useState('')
  const [isStopping, setStopping] = useState(false)
  const about: About = { description: description.trim(), visibilityScope: scopeOf(visibility) }
  const { items, isRunning, done } = uploads
  const [taken, setTaken] = useState<readonly File[]>([])
  if (dropped !== taken) {
    setTaken(dropped)
    uploads.add(dropped)
  }
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    if (!isOpen && !isRunning) reset()
  }
  const hasBegun = items.some(({ state }) => state.kind !== 'waiting')

  function reset(): void {
    uploads.clear()
    setDescription('')
    setVisibility('private')
    setStopping(false)
  }

  function close(): void {
    if (done > 0) toast(t('upload.uploaded', { count: done }))
    uploads.cancelAll()
    reset()
    onClose()
  }

  const files = <Files uploads={uploads} about={about} hasBegun={hasBegun} onOpen={close} />
  return (
    <>
      <Modal
        opened={isOpen}
        onClose={() => (isRunning ? setStopping(true) : close())}
        title={t('upload.title')}
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
        closeOnClickOutside={items.length === 0}
        size={640}
      >
        <div className={classes.parts}>
          {hasBegun && files}
          <DropZone options={options} onFiles={uploads.add} />
          {!hasBegun && items.length > 0 && files}
          {!hasBegun && (
            <>
              <VisibilityChoice value={visibility} onChange={setVisibility} />
              <Description value={description} onChange={setDescription} />
            </>
          )}
        </div>
        <Group mt={24} justify="flex-end">
          {(!hasBegun || isRunning) && (
            <Button variant="default" onClick={() => (isRunning ? setStopping(true) : close())}>
              {t('common:actions.cancel')}
            </Button>
          )}
          <MainButton
            uploads={uploads}
            hasBegun={hasBegun}
            onStart={() => uploads.start(about)}
            onFinish={close}
          />
          <SendButton uploads={uploads} />
        </Group>
      </Modal>
      <ConfirmDialog
        isOpen={isStopping && isRunning}
        title={t('upload.stopTitle')}
        text={t('upload.stopText')}
        yes={t('upload.stopYes')}
        isDangerous
        onYes={close}
        onNo={() => setStopping(false)}
      />
    </>
  )
}

/** The list of files: says first how many were not uploaded; each of these says why. */
function Files(props: { uploads: Uploads; about: About; hasBegun: boolean; onOpen: () => void }) {
  const { t } = useTexts('documents')
  const { uploads, about, onOpen } = props
  const { items } = uploads
  const count = items.filter((item) => problemOf(item) !== null).length
  return (
    <div className={classes.parts}>
      {props.hasBegun && count > 0 && (
        <p role="alert" className={classes.summary} ref={bringIntoView}>
          <WarningIcon />
          {t('upload.notUploaded', { count, total: items.length })}
        </p>
      )}
      <ul className={classes.files} aria-label={t('upload.files')}>
        {failuresFirst(items).map((item) => (
          <UploadRow key={item.id} item={item} uploads={uploads} about={about} onOpen={onOpen} />
        ))}
      </ul>
    </div>
  )
}

/** Scrolls to the message: on a phone it is far above the pressed button. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

/** The usual next step: one document is sent, several go as one package. */
function SendButton({ uploads }: { uploads: Uploads }) {
  const { t } = useTexts('documents')
  const [document, ...others] = uploadedOf(uploads)
  if (!document || !isFinished(uploads)) return null
  if (others.length > 0) {
    const documents = [document, ...others].map(({ id }) => id).join(',')
    return (
      <Button
        variant="light"
        renderRoot={(root) => (
          <Link to="/signingRequests/addPackage" search={{ documents }} replace {...root} />
        )}
      >
        {t('upload.sendPackage')}
      </Button>
    )
  }
  return (
    <Button
      renderRoot={(root) => (
        // `replace`: the history entry of the dialog is no longer useful.
        <Link to="/signingRequests/add/{-$id}" params={{ id: document.id }} replace {...root} />
      )}
    >
      {t('upload.send')}
    </Button>
  )
}

function uploadedOf({ items }: Uploads) {
  return items.flatMap(({ state }) => (state.kind === 'done' ? [state.document] : []))
}

function isFinished({ isRunning, toSend }: Uploads): boolean {
  return !isRunning && toSend === 0
}

/** One button for all stages, so that it keeps the keyboard focus until the uploads are done. */
function MainButton(props: {
  uploads: Uploads
  hasBegun: boolean
  onStart: () => void
  onFinish: () => void
}) {
  const { t } = useTexts('documents')
  const { toSend, isRunning } = props.uploads
  const count = uploadedOf(props.uploads).length
  const isStart = !props.hasBegun || toSend > 0
  const isOff = isStart ? toSend === 0 : isRunning
  const act = isStart ? props.onStart : props.onFinish
  return (
    <Button
      aria-disabled={isOff}
      data-disabled={isOff}
      {...(!isStart && !isRunning && count === 1 && { variant: 'default' })}
      onClick={() => !isOff && act()}
    >
      {isStart
        ? t('upload.start', { count: Math.max(1, toSend) })
        : t(count === 0 && !isRunning ? 'upload.close' : 'upload.finish')}
    </Button>
  )
}

function VisibilityChoice(props: { value: Visibility; onChange: (value: Visibility) => void }) {
  const { t } = useTexts('documents')
  return (
    <Radio.Group
      label={t('upload.visibility')}
      description={t('upload.visibilityHelp')}
      value={props.value}
      onChange={(value) => props.onChange(value === 'public' ? 'public' : 'private')}
    >
      <div className={classes.choices}>
        {(['private', 'public'] as const).map((value) => (
          <RadioCard
            key={value}
            value={value}
            isSelected={props.value === value}
            label={t(`upload.${value}`)}
            help={t(`upload.${value}Help`)}
          />
        ))}
      </div>
    </Radio.Group>
  )
}

function Description(props: { value: string; onChange: (value: string) => void }) {
  const { t } = useTexts('documents')
  const id = useId()
  const limitNote = useLimitNote()
  return (
    <Textarea
      id={id}
      label={t('upload.description')}
      description={limitNote(props.value, longestDescription, t('upload.descriptionHelp'))}
      inputWrapperOrder={['label', 'input', 'description']}
      minRows={2}
      maxLength={longestDescription}
      value={props.value}
      onChange={(event) => props.onChange(typedText(event))}
    />
  )
}
