/** The dialogs for approving, confirming, rejecting, withdrawing and terminating. */
import { useState } from 'react'
import { Alert } from '@mantine/core'
import type * as z from 'zod/mini'
import type { Endpoint } from '@kelisim/domain/endpoint.ts'
import {
  actAtPoint,
  longestComment,
  revokeRequest,
  type SigningRequest,
} from '@kelisim/domain/requests/contract.ts'
import { longestTerminationComment, terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import type { ApiError } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { DialogForm, FormDialog } from '../../ui/form/form-dialog.tsx'
import { TextField, useApiForm } from '../../ui/form/form.tsx'
import { WarningIcon } from '../../ui/look/icons.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import {
  actionName,
  kindOfPoint,
  processOfRequest,
  type RequestAction,
  type RequestView,
} from '../shared/request-view.ts'
import type { RequestKey } from '../shared/queries.ts'

export type PlainAct = 'approve' | 'confirm' | 'reject' | 'withdraw' | 'terminate'
export type PlainDeed = RequestAction & { act: PlainAct }

export function isPlain(action: RequestAction): action is PlainDeed {
  return action.act !== 'sign'
}

type DialogProps = {
  request: RequestView
  requestKey: RequestKey
  onKept: (request: RequestView) => void
  /** Somebody else acted first, so the page is out of date. */
  onStale: () => Promise<unknown>
  onClose: () => void
}

export function ActDialog({
  action,
  isOpen,
  ...props
}: DialogProps & { action: PlainDeed; isOpen: boolean }) {
  const { t } = useTexts('requests')
  const words = wordsOf(action, props.request)
  const draft = `act:${action.act}:${props.request.id}`
  return (
    <FormDialog isOpen={isOpen} title={t(`dialogs.${words}.title`)} draft={draft} onClose={props.onClose}>
      <ActForm
        key={`${draft}:${action.point?.pointId ?? ''}`}
        action={action}
        draft={draft}
        words={words}
        {...props}
      />
    </FormDialog>
  )
}

function wordsOf(action: PlainDeed, request: RequestView): PlainAct | 'rejectTermination' {
  const name = actionName(action, processOfRequest(request))
  return name === 'rejectTermination' ? name : action.act
}

/** All of them return the changed request. */
type ActEndpoint = Endpoint<'party' | 'member', z.ZodMiniType, typeof SigningRequest>

function callOf({ act, point }: PlainDeed): { endpoint: ActEndpoint; fixed: Record<string, unknown> } {
  switch (act) {
    case 'withdraw':
      return { endpoint: revokeRequest, fixed: {} }
    case 'terminate':
      return { endpoint: terminateRequest, fixed: {} }
    case 'approve':
    case 'confirm':
    case 'reject':
      return {
        endpoint: actAtPoint,
        fixed: { action: act, pointId: point!.pointId, pointTypeName: kindOfPoint(point!) },
      }
  }
}

const needsReason: readonly PlainAct[] = ['reject', 'withdraw', 'terminate']
/** Refusals that only need a refresh: the page then shows the reason. */
const tooLate = ['wrong-request-status', 'point-already-processed', 'process-wrong-order', 'point-not-found']

function ActForm(
  props: DialogProps & { action: PlainDeed; draft: string; words: ReturnType<typeof wordsOf> },
) {
  const { t, find } = useTexts('requests')
  const { action, request, words } = props
  const [seenVersion, setSeenVersion] = useState(request.currentVersion)
  // One key for each dialog, so that a retry after a lost response performs the action once.
  const [key] = useState(() => crypto.randomUUID())
  const [notice, setNotice] = useState<string | null>(null)
  const { endpoint, fixed } = callOf(action)

  function onRefusal(error: ApiError): boolean {
    if (error.alias === 'request-changed') {
      void props.onStale()
      const { currentVersion } = error.parameters
      if (typeof currentVersion === 'number') setSeenVersion(currentVersion)
      setNotice(t('dialogs.changed'))
      return true
    }
    if (tooLate.includes(error.alias)) {
      void props.onStale()
      const reason = find(`errors:${error.alias}.text`, { ...error.parameters }) ?? error.message
      setNotice(t('dialogs.gone', { reason }))
      return true
    }
    if (error.alias !== 'document-is-on-signing-process') return false
    setNotice(find(`errors:${error.alias}.text`, { ...error.parameters }) ?? error.message)
    return true
  }

  const form = useApiForm({
    id: props.draft,
    endpoint,
    fixed: { ...props.requestKey, ...fixed, key, currentVersion: seenVersion },
    initial: { comment: '' },
    onDone: (saved) => {
      props.onKept(saved)
      toast(t(`dialogs.${words}.done`))
      props.onClose()
    },
    onRefusal,
    guardsPage: false,
  })
  const isReason = needsReason.includes(action.act)
  return (
    <DialogForm form={form} yes={t(`acts.${words}`)} onCancel={props.onClose}>
      <p>{t(`dialogs.${words}.text`)}</p>
      {notice !== null && (
        <Alert color="yellow" variant="light" icon={<WarningIcon size={20} />} role="alert">
          {notice}
        </Alert>
      )}
      <TextField
        name="comment"
        label={isReason ? t('dialogs.reason') : t('dialogs.comment')}
        help={isReason ? t('dialogs.reasonHelp') : t('dialogs.commentHelp')}
        max={action.act === 'terminate' ? longestTerminationComment : longestComment}
        isRequired={isReason}
        lines={4}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog takes the focus in any case: to what it asks for
        autoFocus
      />
    </DialogForm>
  )
}
