/**
 * Corrects a running request: replaces its file, with a comment and a list of who is asked again; or its steps ahead.
 */
import { lazy, Suspense, useState } from 'react'
import { Alert, Button, SegmentedControl } from '@mantine/core'
import { longestComment } from '@kelisim/domain/requests/contract.ts'
import { correctRequest } from '@kelisim/domain/requests/correcting/contract.ts'
import { UploadButton } from '../../documents/one-upload.tsx'
import type { DocumentView } from '../../documents/shared/document-acts.ts'
import { FileLabel } from '../../documents/shared/file-label.tsx'
import { loadTexts } from '../../i18n/language.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { toast } from '../../ui/dialogs/toast.tsx'
import { DialogForm, FormDialog } from '../../ui/form/form-dialog.tsx'
import { useWorkplace } from '../../shell/session/session.ts'
import { TextField, useApiForm } from '../../ui/form/form.tsx'
import { WarningIcon } from '../../ui/look/icons.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import type { RequestKey } from '../shared/queries.ts'
import type { RequestView } from '../shared/request-view.ts'
import { askedAgain } from './asked-again.ts'
import classes from './correcting.module.css'

/** The route editor is loaded on demand, together with its texts. */
const StepsForm = lazy(async () => {
  const [{ StepsForm: form }] = await Promise.all([import('./steps-form.tsx'), loadTexts('routes', 'points')])
  return { default: form }
})

type Props = {
  request: RequestView
  requestKey: RequestKey
  onKept: (request: RequestView) => void
}

export function CorrectButton(props: Props) {
  const { t } = useTexts('requests')
  const [isOpen, setOpen] = useState(false)
  if (!props.request.acts.some(({ act }) => act === 'correct')) return null
  return (
    <>
      <Button variant="default" fullWidth onClick={() => setOpen(true)}>
        {t('correcting.button')}
      </Button>
      <CorrectDialog {...props} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

type DialogProps = Props & {
  /** A new document that is already chosen; the author may still upload another one. */
  document?: DocumentView
  onClose: () => void
}

export function CorrectDialog(props: DialogProps & { isOpen: boolean }) {
  const { t } = useTexts('requests')
  const { options } = useWorkplace()
  const [way, setWay] = useState<'file' | 'steps'>('file')
  const draft = `correct:${way}:${props.request.id}`
  const Form = way === 'file' ? CorrectForm : StepsForm
  return (
    <FormDialog
      isOpen={props.isOpen}
      title={t('correcting.title')}
      draft={draft}
      size={way === 'file' ? 560 : 720}
      onClose={props.onClose}
    >
      {/* Changing steps needs the permission to edit routes. */}
      {options.allowed.editRoutes && !props.document && (
        <SegmentedControl
          fullWidth
          size="md"
          mb={16}
          aria-label={t('correcting.ways')}
          data={[
            { value: 'file', label: t('correcting.file') },
            { value: 'steps', label: t('correcting.steps') },
          ]}
          value={way}
          onChange={(chosen) => setWay(chosen === 'steps' ? 'steps' : 'file')}
        />
      )}
      <Suspense fallback={<LoadingLines count={4} />}>
        <Form {...props} draft={draft} />
      </Suspense>
    </FormDialog>
  )
}

function CorrectForm(props: DialogProps & { draft: string }) {
  const { t } = useTexts('requests')
  const { request, requestKey } = props
  const [document, setDocument] = useState<DocumentView | null>(props.document ?? null)
  // One key for each dialog, so that a retry after a lost response corrects once.
  const [key] = useState(() => crypto.randomUUID())
  const form = useApiForm({
    id: props.draft,
    endpoint: correctRequest,
    fixed: { ...requestKey, key, documentId: document?.id, currentVersion: request.currentVersion },
    initial: { comment: '' },
    onDone: (saved) => {
      props.onKept(saved)
      toast(t('correcting.done'))
      props.onClose()
    },
    guardsPage: false,
  })
  const again = askedAgain(request)
  return (
    <DialogForm form={form} yes={t('correcting.yes')} isOff={document === null} onCancel={props.onClose}>
      <p>{t('correcting.text')}</p>
      {document === null ? (
        <UploadButton onUploaded={setDocument} />
      ) : (
        <Chosen document={document} onOther={() => setDocument(null)} />
      )}
      <TextField
        name="comment"
        label={t('correcting.comment')}
        help={t('correcting.commentHelp')}
        max={longestComment}
        isRequired
        lines={3}
      />
      {again.length > 0 ? (
        <Alert color="yellow" variant="light" icon={<WarningIcon size={20} />}>
          {t('correcting.again', { who: again.join(', ') })}
        </Alert>
      ) : (
        <p>{t('correcting.nobody')}</p>
      )}
      {request.points.some(({ place }) => place !== null) && <p>{t('correcting.places')}</p>}
    </DialogForm>
  )
}

function Chosen({ document, onOther }: { document: DocumentView; onOther: () => void }) {
  const { t } = useTexts('requests')
  return (
    <div className={classes.chosen}>
      <FileLabel name={document.name} size={document.size} />
      <Button variant="default" size="compact-md" onClick={onOther}>
        {t('correcting.other')}
      </Button>
    </div>
  )
}
