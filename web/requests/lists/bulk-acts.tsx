/**
 * Actions on several requests at once: the bar at the bottom, and the dialog that performs them one by one. The
 * dialog stays open until it is closed, even when the requests have left the list.
 */
import { lazy, useState } from 'react'
import { Button, Group, Modal, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { typeOf } from '@kelisim/domain/points/point-types.ts'
import { actAtPoint, longestComment } from '@kelisim/domain/requests/contract.ts'
import { downloadRequests } from '@kelisim/domain/requests/list-contract.ts'
import { actOnPackage } from '@kelisim/domain/requests/packages/contract.ts'
import { ApiError, call } from '../../api/api.ts'
import { fetchFile, saveBytes } from '../../api/file-api.ts'
import { loadTexts } from '../../i18n/language.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { Fields } from '../../ui/form/fields.tsx'
import { typedText, useLimitNote } from '../../ui/form/typed-text.ts'
import { CheckIcon, DocumentIcon, DownloadIcon, WarningIcon } from '../../ui/look/icons.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { MountOnOpen } from '../../ui/dialogs/mount-on-open.tsx'
import classes from './lists.module.css'
import { useRefreshLists } from '../shared/refresh-lists.ts'
import type { Line } from './list-line.ts'

const SigningDialog = lazy(async () => {
  const [{ SigningDialog: dialog }] = await Promise.all([
    import('../signing/signing-dialog.tsx'),
    loadTexts('requests', 'signatures', 'documents'),
  ])
  return { default: dialog }
})

const plainActs = ['approve', 'confirm'] as const
type PlainAct = (typeof plainActs)[number]
const bulkActs = ['sign', ...plainActs] as const
type BulkAct = (typeof bulkActs)[number]

/** The bar with the actions for the rows that are selected in a list. */
export function BulkBar({ lines, onClear }: { lines: Line[]; onClear: () => void }) {
  const { t } = useTexts('requests-lists')
  const { organization } = useWorkplace()
  const download = useMutation({
    mutationFn: async () => {
      const ids = lines.map(({ id }) => id).join(',')
      const bytes = await fetchFile(downloadRequests, { organizationId: organization.Id, ids })
      saveBytes(bytes, 'kelisim.zip', 'application/zip')
      toast(t('requests.bulk.saved'))
    },
  })
  const hasActs = lines.some(({ acts }) => acts.some(({ act }) => bulkActs.some((one) => one === act)))
  return (
    <div
      className={classes.bar}
      role="region"
      aria-label={t('requests.bulk.label')}
      hidden={lines.length === 0}
    >
      <span role="status">{t('requests.bulk.chosen', { count: lines.length })}</span>
      <BulkActs lines={lines} />
      <Button
        variant="default"
        leftSection={<DownloadIcon size={18} />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        {t('requests.bulk.download')}
      </Button>
      <Button variant="subtle" onClick={onClear}>
        {t('requests.bulk.clear')}
      </Button>
      {!hasActs && <p>{t('requests.bulk.noActs')}</p>}
    </div>
  )
}

/** A button and a dialog for each act that is possible on several of the selected requests at once. */
export function BulkActs({ lines }: { lines: readonly Line[] }) {
  const { t } = useTexts('requests-lists')
  const { organization } = useWorkplace()
  const acting = useDialog<{ act: PlainAct; lines: Line[] }>()
  const signing = useDialog<string[]>()
  const refresh = useRefreshLists()
  const withAct = (act: BulkAct) => lines.filter((line) => line.acts.some((one) => one.act === act))
  const toSign = withAct('sign')
  const plain = plainActs.map((act) => ({ act, lines: withAct(act) }))
  return (
    <>
      {toSign.length > 0 && (
        <Button onClick={() => signing.open(toSign.map(({ id }) => id))}>
          {t('requests.bulk.sign', { count: toSign.length })}
        </Button>
      )}
      {plain
        .filter((one) => one.lines.length > 0)
        .map((one) => (
          <Button
            key={one.act}
            variant={toSign.length > 0 ? 'default' : 'filled'}
            onClick={() => acting.open(one)}
          >
            {t(`requests.bulk.${one.act}`, { count: one.lines.length })}
          </Button>
        ))}
      {acting.subject && (
        <ActDialog
          key={acting.subject.lines.map(({ id }) => id).join()}
          isOpen={acting.isOpen}
          {...acting.subject}
          onClose={() => {
            acting.close()
            refresh()
          }}
        />
      )}
      <MountOnOpen isOpen={signing.isOpen}>
        <SigningDialog
          isOpen={signing.isOpen}
          organizationId={organization.Id}
          requestIds={signing.subject ?? []}
          onChanged={refresh}
          onClose={signing.close}
        />
      </MountOnOpen>
    </>
  )
}

type State = { kind: 'waiting' } | { kind: 'going' } | { kind: 'done' } | { kind: 'failed'; error: ApiError }

function ActDialog(props: { isOpen: boolean; act: PlainAct; lines: Line[]; onClose: () => void }) {
  const { t } = useTexts('requests-lists')
  const limitNote = useLimitNote()
  const { act, lines } = props
  const { organization } = useWorkplace()
  const [comment, setComment] = useState('')
  const [states, setStates] = useState<Record<string, State>>({})
  const [isRunning, setRunning] = useState(false)
  const isOver = lines.every(({ id }) => isSettled(states[id]))
  const done = lines.filter(({ id }) => states[id]?.kind === 'done').length

  /** One after another; a failure does not stop the rest. */
  async function run(): Promise<void> {
    setRunning(true)
    for (const group of answeredAtOnce(lines.filter(({ id }) => states[id]?.kind !== 'done'))) {
      setAll(group, { kind: 'going' })
      setAll(group, await actOn(group))
    }
    setRunning(false)
  }

  function setAll(group: readonly Line[], state: State): void {
    setStates((before) => ({ ...before, ...Object.fromEntries(group.map(({ id }) => [id, state])) }))
  }

  async function actOn([line, ...others]: Line[]): Promise<State> {
    try {
      if (line?.package?.isTogether) {
        await actTogether(organization.Id, [line, ...others], act, comment)
        return { kind: 'done' }
      }
      // A person in several groups acts for each of them.
      for (const { pointId, type } of line!.acts.filter((one) => one.act === act)) {
        await call(actAtPoint, {
          organizationId: organization.Id,
          signingRequestId: line!.id,
          pointId: pointId!,
          comment,
          action: act,
          pointTypeName: typeOf(type!)!,
          key: crypto.randomUUID(),
          revision: line!.revision,
        })
      }
      return { kind: 'done' }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { kind: 'failed', error }
    }
  }

  return (
    <Modal
      opened={props.isOpen}
      onClose={() => !isRunning && props.onClose()}
      title={t(`requests.bulk.${act}Title`)}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
      size={560}
    >
      <Fields>
        <ul className={classes.several} aria-label={t('requests.bulk.documents')}>
          {lines.map((line) => (
            <OneOfSeveral key={line.id} line={line} state={states[line.id]} />
          ))}
        </ul>
        {isOver ? (
          <p role="status">{t('requests.bulk.result', { done, total: lines.length })}</p>
        ) : (
          <Textarea
            label={t('requests.bulk.comment')}
            description={limitNote(comment, longestComment, t('requests.bulk.commentHelp'))}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            minRows={2}
            maxLength={longestComment}
            disabled={isRunning}
            value={comment}
            onChange={(event) => setComment(typedText(event))}
          />
        )}
      </Fields>
      <Group mt={24} justify="flex-end">
        {!isOver && (
          <Button variant="default" disabled={isRunning} onClick={props.onClose}>
            {t('common:actions.cancel')}
          </Button>
        )}
        <Button loading={isRunning} onClick={() => (isOver ? props.onClose() : void run())}>
          {isOver ? t('common:actions.close') : t(`requests.bulk.${act}Yes`)}
        </Button>
      </Group>
    </Modal>
  )
}

/**
 * The groups answered by one call: the documents of a package that is decided together; every other request alone.
 */
export function answeredAtOnce(lines: readonly Line[]): Line[][] {
  return [...Map.groupBy(lines, ({ id, package: sentIn }) => (sentIn?.isTogether ? sentIn.id : id)).values()]
}

/** Answers a package that is decided together: one call for each point at which documents wait for the person. */
async function actTogether(
  organizationId: string,
  lines: readonly Line[],
  act: PlainAct,
  comment: string,
): Promise<void> {
  const asked = lines.flatMap(({ id, revision, acts }) =>
    acts
      .filter((one) => one.act === act)
      .map(({ pointId }) => ({
        signingRequestId: id,
        pointId: pointId!,
        revision,
        key: crypto.randomUUID() as string,
      })),
  )
  for (const documents of Map.groupBy(asked, ({ pointId }) => pointId).values()) {
    const packageId = lines[0]!.package!.id
    await call(actOnPackage, { organizationId, packageId, action: act, comment, documents })
  }
}

function isSettled(state: State | undefined): boolean {
  return state?.kind === 'done' || state?.kind === 'failed'
}

function OneOfSeveral({ line, state = { kind: 'waiting' } }: { line: Line; state: State | undefined }) {
  const { t, find } = useTexts('requests-lists')
  const { name } = line
  switch (state.kind) {
    case 'done':
      return (
        <li className={classes.done}>
          <CheckIcon />
          <span>
            {name} <span className="only-heard">{t('requests.bulk.done')}</span>
          </span>
        </li>
      )
    case 'failed':
      return (
        <li className={classes.bad}>
          <WarningIcon />
          <span>
            {name}
            <small>
              {find(`errors:${state.error.alias}.text`, state.error.parameters) ?? state.error.message}
            </small>
          </span>
        </li>
      )
    case 'waiting':
    case 'going':
      return (
        <li>
          <DocumentIcon />
          <span>
            {name}
            {state.kind === 'going' && <small>{t('requests.bulk.going')}</small>}
          </span>
        </li>
      )
  }
}
