/**
 * The upload dialog: files are dropped or chosen, visibility is chosen once for all, then each file is uploaded
 * separately.
 */
import { useId, useState } from 'react'
import { Button, Group, Modal, Radio, Textarea } from '@mantine/core'
import { scopeOf, type Visibility } from '@kelisim/domain/visibility.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { RadioCard } from '../ui/form/choices.tsx'
import { DropZone } from './drop-zone.tsx'
import classes from './upload.module.css'
import { UploadRow } from './upload-row.tsx'
import { useUploads, type About, type Uploads } from './use-uploads.ts'

const longestDescription = 1000

export function UploadDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTexts('documents')
  const { organization, options } = useWorkplace()
  const uploads = useUploads(organization.Id, options)
  const [visibility, setVisibility] = useState<Visibility>('private')
  const [description, setDescription] = useState('')
  const [isStopping, setStopping] = useState(false)
  const about: About = { description: description.trim(), visibilityScope: scopeOf(visibility) }
  const { items, isRunning, done } = uploads
  const hasBegun = items.some(({ state }) => state.kind !== 'waiting')

  function close(): void {
    if (done > 0) toast(t('upload.uploaded', { count: done }))
    uploads.cancelAll()
    uploads.clear()
    setDescription('')
    setVisibility('private')
    setStopping(false)
    onClose()
  }

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
          <DropZone isPdfOnly={options.documentsUploadPdfOnly} onFiles={uploads.add} />
          {items.length > 0 && (
            <ul className={classes.files} aria-label={t('upload.files')}>
              {items.map((item) => (
                <UploadRow key={item.id} item={item} uploads={uploads} about={about} onOpen={close} />
              ))}
            </ul>
          )}
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

/** One button for all stages, so that it keeps the keyboard focus until the uploads are done. */
function MainButton(props: {
  uploads: Uploads
  hasBegun: boolean
  onStart: () => void
  onFinish: () => void
}) {
  const { t } = useTexts('documents')
  const { toSend, isRunning } = props.uploads
  const isStart = !props.hasBegun || toSend > 0
  const isOff = isStart ? toSend === 0 : isRunning
  const act = isStart ? props.onStart : props.onFinish
  return (
    <Button aria-disabled={isOff} data-disabled={isOff} onClick={() => !isOff && act()}>
      {isStart ? t('upload.start', { count: Math.max(1, toSend) }) : t('upload.finish')}
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
  const left = longestDescription - props.value.length
  return (
    <Textarea
      id={id}
      label={t('upload.description')}
      description={left <= 100 ? t('common:field.left', { count: left }) : t('upload.descriptionHelp')}
      inputWrapperOrder={['label', 'input', 'description']}
      minRows={2}
      maxLength={longestDescription}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value.trimStart())}
    />
  )
}
