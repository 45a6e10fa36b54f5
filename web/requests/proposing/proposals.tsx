/** Pending proposals: the author compares, takes or declines them; the proposing side sees that its file waits. */
import { useState } from 'react'
import { Alert, Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { nameOfFile } from '@kelisim/domain/comparison/compared-file.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { longestComment } from '@kelisim/domain/requests/contract.ts'
import {
  declineProposal,
  downloadProposal,
  keepProposal,
} from '@kelisim/domain/requests/proposing/contract.ts'
import { ApiError, call } from '../../api/api.ts'
import { fetchFile, saveBytes } from '../../api/file-api.ts'
import type { DocumentView } from '../../documents/shared/document-acts.ts'
import { FileLabel } from '../../documents/shared/file-label.tsx'
import { useTexts } from '../../i18n/use-texts.ts'
import { showError } from '../../ui/dialogs/error-store.ts'
import { toast } from '../../ui/dialogs/toast.tsx'
import { formatShortMoment } from '../../ui/format/dates.ts'
import { DialogForm, FormDialog } from '../../ui/form/form-dialog.tsx'
import { TextField, useApiForm } from '../../ui/form/form.tsx'
import { CompareIcon, DownloadIcon } from '../../ui/look/icons.tsx'
import { RowAction } from '../../ui/list/row-action.tsx'
import { CorrectDialog } from '../correcting/correct-button.tsx'
import { useActorName } from '../shared/actor-name.ts'
import type { RequestKey } from '../shared/queries.ts'
import type { PointView, RequestView } from '../shared/request-view.ts'
import classes from './proposing.module.css'

type Props = {
  request: RequestView
  requestKey: RequestKey
  onKept: (request: RequestView) => void
}
type Proposal = NonNullable<PointView['proposal']>
type OfProposal = Props & { point: PointView; proposal: Proposal }

export function Proposals(props: Props) {
  return props.request.points.map(
    (point) =>
      point.proposal && (
        <ProposalNotice key={point.pointId} {...props} point={point} proposal={point.proposal} />
      ),
  )
}

function ProposalNotice(props: OfProposal) {
  const { t } = useTexts('requests')
  const actorName = useActorName()
  const { request, requestKey, point, proposal } = props
  const isAsked = request.acts.some(
    ({ act, pointId }) => act === 'decline-proposal' && pointId === point.pointId,
  )
  const download = useMutation({
    mutationFn: async () => {
      const bytes = await fetchFile(downloadProposal, { ...requestKey, number: proposal.number })
      saveBytes(bytes, proposal.fileName, mediaTypes[proposal.format])
    },
  })
  const label = t(isAsked ? 'proposing.asked' : 'proposing.waits')
  return (
    <Alert role="group" aria-label={label} title={label} color="yellow" variant="light">
      <p>
        {proposal.by && `${actorName(proposal.by)} · `}
        {formatShortMoment(proposal.at)}
      </p>
      <blockquote className={classes.note}>{proposal.comment}</blockquote>
      <p className={classes.file}>
        <FileLabel name={proposal.fileName} size={proposal.size} />
        <RowAction
          label={t('proposing.download', { name: proposal.fileName })}
          isBusy={download.isPending}
          onClick={() => download.mutate()}
        >
          <DownloadIcon />
        </RowAction>
      </p>
      <Compare {...props} />
      {isAsked && <Answers {...props} />}
    </Alert>
  )
}

function Compare({ request, requestKey, proposal }: OfProposal) {
  const { t } = useTexts('requests')
  const { organizationId, signingRequestId } = requestKey
  return (
    <Link
      to="/documents/compare"
      search={{
        before: nameOfFile({ kind: 'revision', signingRequestId, revision: request.revision }),
        after: nameOfFile({ kind: 'proposal', signingRequestId, number: proposal.number }),
        ...(organizationId === emptyId && { own: true }),
      }}
      className={classes.compare}
    >
      <CompareIcon size={18} />
      {t('proposing.compare')}
    </Link>
  )
}

function Answers(props: OfProposal) {
  const { t } = useTexts('requests')
  const { requestKey, proposal } = props
  const [document, setDocument] = useState<DocumentView | null>(null)
  const [isDeclining, setDeclining] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    try {
      setDocument(await call(keepProposal, { ...requestKey, number: proposal.number }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      showError(error)
    }
    setBusy(false)
  }
  const draft = `decline:${props.request.id}:${props.point.pointId}`
  return (
    <>
      <Group gap={8} mt={12}>
        <Button loading={isBusy} onClick={() => void take()}>
          {t('proposing.take')}
        </Button>
        <Button variant="default" onClick={() => setDeclining(true)}>
          {t('proposing.decline')}
        </Button>
      </Group>
      {document && <CorrectDialog {...props} isOpen document={document} onClose={() => setDocument(null)} />}
      <FormDialog
        isOpen={isDeclining}
        title={t('proposing.declineTitle')}
        draft={draft}
        onClose={() => setDeclining(false)}
      >
        <DeclineForm {...props} draft={draft} onClose={() => setDeclining(false)} />
      </FormDialog>
    </>
  )
}

function DeclineForm(props: OfProposal & { draft: string; onClose: () => void }) {
  const { t } = useTexts('requests')
  const { request, requestKey, point } = props
  const [key] = useState(() => crypto.randomUUID())
  const form = useApiForm({
    id: props.draft,
    endpoint: declineProposal,
    fixed: { ...requestKey, key, pointId: point.pointId, currentVersion: request.currentVersion },
    initial: { comment: '' },
    onDone: (saved) => {
      props.onKept(saved)
      toast(t('proposing.declined'))
      props.onClose()
    },
    guardsPage: false,
  })
  return (
    <DialogForm form={form} yes={t('proposing.declineYes')} onCancel={props.onClose}>
      <p>{t('proposing.declineText')}</p>
      <TextField name="comment" label={t('proposing.why')} max={longestComment} isRequired lines={3} />
    </DialogForm>
  )
}
