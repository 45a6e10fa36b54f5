/** A button that uploads one file as a private document; others see it only when it is sent or otherwise used. */
import { useRef, useState } from 'react'
import { Button, Progress } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getDocuments, uploadDocument } from '@kelisim/domain/documents/contract.ts'
import { acceptedFormats } from '@kelisim/domain/documents/formats.ts'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { ApiError } from '../api/api.ts'
import { sendFile } from '../api/file-api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { OutgoingIcon } from '../ui/look/icons.tsx'
import type { DocumentView } from './shared/document-acts.ts'
import classes from './one-upload.module.css'
import { whyUnfit, type Problem } from './use-uploads.ts'

export function UploadButton({ onUploaded }: { onUploaded: (document: DocumentView) => void }) {
  const { t, find } = useTexts('documents')
  const { options } = useWorkplace()
  const input = useRef<HTMLInputElement>(null)
  const { percent, problem, send, cancel } = useOneUpload(onUploaded)
  const accept = acceptedFormats(options)
    .map((format) => `.${format}`)
    .join(',')
  return (
    <div className={classes.upload}>
      {percent === null ? (
        <Button
          variant="default"
          leftSection={<OutgoingIcon size={18} />}
          onClick={() => input.current?.click()}
        >
          {t('oneUpload.upload')}
        </Button>
      ) : (
        <>
          <span role="status">
            {percent >= 100 ? t('oneUpload.checking') : t('oneUpload.uploading', { percent })}
          </span>
          <Progress value={percent} aria-label={t('oneUpload.upload')} />
          <Button variant="subtle" onClick={cancel}>
            {t('oneUpload.cancel')}
          </Button>
        </>
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={t('oneUpload.upload')}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = '' // so that the same file can be chosen again
          if (file) void send(file)
        }}
      />
      {problem && (
        <small role="alert" className={classes.bad}>
          {find(`errors:${problem.alias}.text`, problem.parameters) ?? t('common:errorPage.title')}
        </small>
      )}
    </div>
  )
}

function useOneUpload(onUploaded: (document: DocumentView) => void) {
  const { organization, options } = useWorkplace()
  const client = useQueryClient()
  const stop = useRef<AbortController>(null)
  const [percent, setPercent] = useState<number | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function send(file: File): Promise<void> {
    const unfit = whyUnfit(file, options)
    setProblem(unfit)
    if (unfit) return
    const { signal } = (stop.current = new AbortController())
    setPercent(0)
    try {
      const document = await sendFile(
        uploadDocument,
        {
          organizationId: organization.Id,
          documentId: crypto.randomUUID(),
          name: file.name,
          description: '',
          visibilityScope: visibilityScopes.members.Private,
        },
        file,
        { signal, onProgress: (sent) => setPercent(Math.min(100, Math.floor((sent / file.size) * 100))) },
      )
      void client.invalidateQueries({ queryKey: [getDocuments.path] })
      onUploaded(document)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ApiError)) throw error
      setProblem({ alias: error.alias, parameters: error.parameters })
    } finally {
      setPercent(null)
    }
  }
  return { percent, problem, send, cancel: () => stop.current?.abort() }
}
