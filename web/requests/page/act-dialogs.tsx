/** The dialogs for approving, confirming, rejecting, withdrawing and terminating. */
import { useState, type ReactNode } from 'react'
import { Alert, Textarea } from '@mantine/core'
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
  consequenceOf,
  kindOfPoint,
  processOfRequest,
  type RequestAction,
  type RequestView,
} from '../shared/request-view.ts'
import { changesSince, stateOfAction, type ActionState } from '../shared/changes-since.ts'
import { Changes } from '../shared/changes.tsx'
import type { RequestKey } from '../shared/queries.ts'

export type PlainAct = 'approve' | 'confirm' | 'reject' | 'withdraw' | 'terminate'
export type PlainDeed = RequestAction & { act: PlainAct }

export function isPlain(action: RequestAction): action is PlainDeed {
  return action.act !== 'sign'
}

type DialogProps = {
  /** The act, and the request as it was when the dialog was opened. */
  deed: PlainDeed
  opened: RequestView
  /** The request as it is now. */
  request: RequestView
  requestKey: RequestKey
  onKept: (request: RequestView) => void
  /** Somebody else acted first, so the page is out of date. */
  onStale: () => Promise<unknown>
  onClose: () => void
}

export function ActDialog({ isOpen, ...props }: DialogProps & { isOpen: boolean }) {
  const { t } = useTexts('requests')
  const { deed, opened, onClose } = props
  const words = wordsOf(deed, opened)
  const draft = `act:${deed.act}:${opened.id}`
  return (
    <FormDialog isOpen={isOpen} title={t(`dialogs.${words}.title`)} draft={draft} onClose={onClose}>
      <ActForm key={`${draft}:${deed.point?.pointId ?? ''}`} draft={draft} words={words} {...props} />
    </FormDialog>
  )
}

function wordsOf(action: PlainDeed, request: RequestView): PlainAct | 'rejectTermination' {
  const name = actionName(action, processOfRequest(request))
  return name === 'rejectTermination' ? name : action.act
}

/** All of them return the changed request. */
type ActEndpoint = Endpoint<'party' | 'member', z.ZodMiniType, typeof SigningRequest>

/** `revision`: the document the person saw when deciding; the server refuses the act for any other revision. */
function callOf(
  { act, point }: PlainDeed,
  revision: number,
): { endpoint: ActEndpoint; fixed: Record<string, unknown> } {
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
        fixed: { action: act, pointId: point!.pointId, pointTypeName: kindOfPoint(point!), revision },
      }
  }
}

const needsReason: readonly PlainAct[] = ['reject', 'withdraw', 'terminate']
/** Refusals because of what others did: the dialog refreshes the request and shows what happened. */
const tooLate = [
  'wrong-request-status',
  'point-already-processed',
  'process-wrong-order',
  'point-not-found',
  'document-revised',
]

function ActForm(props: DialogProps & { draft: string; words: ReturnType<typeof wordsOf> }) {
  const { t, find } = useTexts('requests')
  const { deed, opened, request, words } = props
  // Changes while the person's own act is under way are their own, so `shown` is not updated then.
  const [shown, setShown] = useState(opened)
  const [isDone, setDone] = useState(false)
  // One key for each dialog, so that a retry after a lost response performs the action once.
  const [key] = useState(() => crypto.randomUUID())
  const [refusal, setRefusal] = useState<string | null>(null)
  const { endpoint, fixed } = callOf(deed, opened.revision)

  function onRefusal(error: ApiError): boolean {
    const reason = find(`errors:${error.alias}.text`, { ...error.parameters }) ?? error.message
    if (error.alias === 'request-changed' || tooLate.includes(error.alias)) {
      void props.onStale()
      setRefusal(error.alias === 'request-changed' ? t('dialogs.changed') : t('dialogs.gone', { reason }))
      return true
    }
    if (error.alias !== 'document-is-on-signing-process') return false
    setRefusal(reason)
    return true
  }

  const form = useApiForm({
    id: props.draft,
    endpoint,
    fixed: { ...props.requestKey, ...fixed, key, currentVersion: shown.currentVersion },
    initial: { comment: '' },
    onDone: (saved) => {
      setDone(true)
      props.onKept(saved)
      toast(t(`dialogs.${words}.done`))
      props.onClose()
    },
    onRefusal,
    guardsPage: false,
  })
  if (!form.isBusy && !isDone && shown !== request) setShown(request)
  const state = stateOfAction(deed, opened, shown)
  const isChanged = shown.currentVersion !== opened.currentVersion || state !== 'possible'
  const isReason = needsReason.includes(deed.act)
  return (
    <DialogForm
      form={form}
      yes={t(`acts.${words}`)}
      // Refusing a termination is not dangerous: it leaves everything as it was.
      isDangerous={isReason && words !== 'rejectTermination'}
      isOff={state === 'held'}
      isOver={state === 'over'}
      onCancel={props.onClose}
    >
      {state !== 'over' && <p>{words === 'approve' ? leadsTo() : t(`dialogs.${words}.text`)}</p>}
      {isChanged ? (
        <Happened opened={opened} now={shown} state={state} hasText={form.values.comment !== ''} />
      ) : (
        refusal !== null && <Notice>{refusal}</Notice>
      )}
      {state === 'over' ? (
        form.values.comment !== '' && (
          <Textarea
            label={isReason ? t('dialogs.reason') : t('dialogs.comment')}
            minRows={4}
            readOnly
            value={form.values.comment}
          />
        )
      ) : (
        <TextField
          name="comment"
          label={isReason ? t('dialogs.reason') : t('dialogs.comment')}
          help={isReason ? t('dialogs.reasonHelp') : t('dialogs.commentHelp')}
          max={deed.act === 'terminate' ? longestTerminationComment : longestComment}
          isRequired={isReason}
          lines={4}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog takes the focus anyway; its field should get it
          autoFocus
        />
      )}
    </DialogForm>
  )

  function leadsTo(): string {
    const after = consequenceOf(deed, shown)
    if (after.leadsTo !== 'others') return t(`dialogs.approve.${after.leadsTo}`)
    const who = after.others.map(({ name, more }) => (more > 0 ? t('dialogs.more', { name, more }) : name))
    return t('dialogs.approve.others', { who: who.join(', ') })
  }
}

/** Says what others did while the dialog was open, and whether its act is still possible. */
function Happened(props: { opened: RequestView; now: RequestView; state: ActionState; hasText: boolean }) {
  const { t } = useTexts('requests')
  const { opened, now, state, hasText } = props
  return (
    <Notice>
      <p>
        {state === 'held' && now.lock
          ? t('about.locked', { name: now.lock.fullName })
          : t(state === 'over' ? 'dialogs.over' : 'dialogs.changed')}
      </p>
      <Changes changes={changesSince(opened, now)} />
      {state === 'over' && hasText && <p>{t('dialogs.textStays')}</p>}
    </Notice>
  )
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <Alert color="yellow" variant="light" icon={<WarningIcon size={20} />} role="alert">
      {children}
    </Alert>
  )
}
