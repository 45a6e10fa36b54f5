/** Returns the document with a file of one's own instead of rejecting it. */
import { useRef, useState, type FormEvent } from 'react'
import { Button, Group, Progress, Textarea } from '@mantine/core'
import { uploadFormats } from '@kelisim/domain/documents/formats.ts'
import { longestProposalNote, proposeFile } from '@kelisim/domain/requests/proposing/contract.ts'
import { ApiError } from '../../api/api.ts'
import { sendFile } from '../../api/file-api.ts'
import { FileLabel } from '../../documents/shared/file-label.tsx'
import { useTexts } from '../../i18n/use-texts.ts'
import { toast } from '../../ui/dialogs/toast.tsx'
import { Fields } from '../../ui/form/fields.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { typedText, useLimitNote } from '../../ui/form/typed-text.ts'
import { OutgoingIcon } from '../../ui/look/icons.tsx'
import type { RequestKey } from '../shared/queries.ts'
import type { RequestView } from '../shared/request-view.ts'
import classes from './proposing.module.css'

type Props = {
  request: RequestView
  requestKey: RequestKey
  onKept: (request: RequestView) => void
}

export function ProposeButton(props: Props) {
  const { t } = useTexts('requests')
  const [isOpen, setOpen] = useState(false)
  const act = props.request.acts.find((one) => one.act === 'propose')
  if (!act?.pointId) return null
  return (
    <>
      <Button variant="default" fullWidth onClick={() => setOpen(true)}>
        {t('proposing.button')}
      </Button>
      <FormDialog
        isOpen={isOpen}
        title={t('proposing.title')}
        draft={`propose:${props.request.id}`}
        onClose={() => setOpen(false)}
      >
        <ProposeForm {...props} pointId={act.pointId} onClose={() => setOpen(false)} />
      </FormDialog>
    </>
  )
}

function ProposeForm(props: Props & { pointId: string; onClose: () => void }) {
  const { t, find } = useTexts('requests')
  const limitNote = useLimitNote()
  const { request, requestKey, pointId, onClose } = props
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [comment, setComment] = useState('')
  const [percent, setPercent] = useState<number | null>(null)
  const [problem, setProblem] = useState<ApiError | null>(null)
  // One key for each dialog, so that a retry after a lost response proposes once.
  const [key] = useState(() => crypto.randomUUID())

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!file) return
    setProblem(null)
    setPercent(0)
    try {
      const saved = await sendFile(
        proposeFile,
        { ...requestKey, pointId, name: file.name, comment, revision: request.revision, key },
        file,
        {
          signal: new AbortController().signal,
          onProgress: (sent) => setPercent(Math.min(100, Math.floor((sent / file.size) * 100))),
        },
      )
      props.onKept(saved)
      toast(t('proposing.done'))
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setProblem(error)
    } finally {
      setPercent(null)
    }
  }

  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      <Fields>
        <p>{t('proposing.text')}</p>
        {file && (
          <p className={classes.file}>
            <FileLabel name={file.name} size={file.size} />
          </p>
        )}
        <Button
          variant="default"
          leftSection={<OutgoingIcon size={18} />}
          onClick={() => input.current?.click()}
        >
          {t(file ? 'correcting.other' : 'proposing.file')}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept={uploadFormats.map((format) => `.${format}`).join(',')}
          aria-label={t('proposing.file')}
          onChange={(event) => {
            setFile(event.currentTarget.files?.[0] ?? null)
            setProblem(null)
          }}
        />
        <Textarea
          label={t('correcting.comment')}
          description={limitNote(comment, longestProposalNote, t('proposing.noteHelp'))}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          withAsterisk
          aria-required
          minRows={3}
          maxLength={longestProposalNote}
          value={comment}
          onChange={(event) => setComment(typedText(event))}
        />
        {percent !== null && <Progress value={percent} aria-label={t('proposing.file')} />}
        {problem && (
          <p role="alert" className={classes.bad}>
            {find(`errors:${problem.alias}.text`, { ...problem.parameters }) ?? problem.message}
          </p>
        )}
      </Fields>
      <Group mt={24} justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common:actions.cancel')}
        </Button>
        <Button type="submit" loading={percent !== null} disabled={file === null || comment.trim() === ''}>
          {t('proposing.yes')}
        </Button>
      </Group>
    </form>
  )
}
