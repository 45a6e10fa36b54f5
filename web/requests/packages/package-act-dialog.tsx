/** Approves, confirms or rejects several documents of a package with one comment: all of them or none. */
import { useState } from 'react'
import { Alert } from '@mantine/core'
import { longestComment } from '@kelisim/domain/requests/contract.ts'
import { actOnPackage } from '@kelisim/domain/requests/packages/contract.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { toast } from '../../ui/dialogs/toast.tsx'
import { DialogForm, FormDialog } from '../../ui/form/form-dialog.tsx'
import { TextField, useApiForm } from '../../ui/form/form.tsx'
import { WarningIcon } from '../../ui/look/icons.tsx'
import type { RequestKey } from '../shared/queries.ts'
import { useRefreshLists } from '../shared/refresh-lists.ts'
import type { RequestView } from '../shared/request-view.ts'
import type { PackageAct, PackageAnswer } from './package-answer.ts'
import classes from './packages.module.css'

type PlainAnswer = PackageAnswer & { act: Exclude<PackageAct, 'sign'> }

type DialogProps = {
  answer: PlainAnswer
  requestKey: RequestKey
  onDone: (requests: RequestView[]) => void
  /** Somebody else acted first, so the page is out of date. */
  onStale: () => Promise<unknown>
  onClose: () => void
}

export function PackageActDialog({ isOpen, ...props }: DialogProps & { isOpen: boolean }) {
  const { t } = useTexts('requests-packages')
  const { answer } = props
  const draft = `package:${answer.act}:${answer.packageId}`
  return (
    <FormDialog
      isOpen={isOpen}
      title={t(`dialogs.${answer.act}.title`, { count: answer.requests.length })}
      draft={draft}
      onClose={props.onClose}
    >
      <AnswerForm key={`${draft}:${answer.pointId}`} draft={draft} {...props} />
    </FormDialog>
  )
}

function AnswerForm({ answer, requestKey, draft, ...props }: DialogProps & { draft: string }) {
  const { t, find } = useTexts('requests-packages')
  const { act, packageId, pointId, requests } = answer
  const refresh = useRefreshLists()
  const [refusal, setRefusal] = useState<string | null>(null)
  const [documents] = useState(() =>
    requests.map(({ id, revision }) => ({
      signingRequestId: id,
      pointId,
      revision,
      key: crypto.randomUUID() as string,
    })),
  )
  const isRejection = act === 'reject'
  const form = useApiForm({
    id: draft,
    endpoint: actOnPackage,
    fixed: { organizationId: requestKey.organizationId, packageId, action: act, documents },
    initial: { comment: '' },
    onDone: (result) => {
      props.onDone(result.requests)
      refresh()
      toast(t(`dialogs.${act}.done`))
      props.onClose()
    },
    onRefusal: (error) => {
      void props.onStale()
      setRefusal(find(`errors:${error.alias}.text`, { ...error.parameters }) ?? error.message)
      return true
    },
    guardsPage: false,
  })
  return (
    <DialogForm form={form} yes={t(`dialogs.${act}.yes`)} isDangerous={isRejection} onCancel={props.onClose}>
      {refusal !== null && (
        <Alert color="yellow" variant="light" icon={<WarningIcon size={20} />} role="alert">
          {refusal}
        </Alert>
      )}
      <p>{t(`dialogs.${act}.text`)}</p>
      <ol className={classes.named} aria-label={t('card.documents')}>
        {requests.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ol>
      <TextField
        name="comment"
        label={t(isRejection ? 'dialogs.reason' : 'dialogs.comment')}
        help={t(isRejection ? 'dialogs.reasonHelp' : 'dialogs.commentHelp')}
        max={longestComment}
        isRequired={isRejection}
        lines={4}
      />
    </DialogForm>
  )
}
