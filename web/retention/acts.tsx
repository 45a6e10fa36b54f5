/** Acts by which documents are destroyed: they are sent to the head, carried out, and shown with their outcome. */
import { useState } from 'react'
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { carryOutDestruction, getDestructionActs } from '@kelisim/domain/retention/destruction-contract.ts'
import { getRetainedDocuments } from '@kelisim/domain/retention/contract.ts'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import portalClasses from '../portal/shared/portal.module.css'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { formatMoment } from '../ui/format/dates.ts'
import { SmallTable, type SmallTableColumn } from '../ui/list/small-table.tsx'
import { Badge, type Tone } from '../ui/look/badge.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { actDocumentsQuery, actsQuery, actsOnPage, type Act } from './queries.ts'
import classes from './retention.module.css'

const tones: Record<Act['state'], Tone> = { prepared: 'gold', signed: 'gold', carriedOut: 'off' }

export function Acts() {
  const { t } = useTexts('retention')
  const { organization } = usePortalOrganization()
  const [skip, setSkip] = useState(0)
  const { data, error, refetch } = useQuery({
    ...actsQuery(organization.Id, skip),
    placeholderData: (before) => before,
  })
  const ending = useDialog<Act>()
  return (
    <section aria-label={t('acts.title')}>
      <h2 className={classes.heading}>{t('acts.title')}</h2>
      {error && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingLines />}
      {data?.totalCount === 0 && <p>{t('acts.none')}</p>}
      {data && data.totalCount > 0 && <ActsTable acts={data.items} onCarryOut={ending.open} />}
      {skip > 0 && (
        <Button variant="subtle" onClick={() => setSkip(skip - actsOnPage)}>
          {t('acts.newer')}
        </Button>
      )}
      {data && data.totalCount > skip + actsOnPage && (
        <Button variant="subtle" onClick={() => setSkip(skip + actsOnPage)}>
          {t('acts.older')}
        </Button>
      )}
      <CarryOutDialog isOpen={ending.isOpen} act={ending.subject} onClose={ending.close} />
    </section>
  )
}

type OfAct = { act: Act; onCarryOut: (act: Act) => void }

function ActsTable({ acts, onCarryOut }: { acts: readonly Act[]; onCarryOut: OfAct['onCarryOut'] }) {
  const { t } = useTexts('retention')
  return (
    <SmallTable
      label={t('acts.title')}
      items={acts}
      rowKey={({ id }) => id}
      columns={useActColumns(onCarryOut)}
    />
  )
}

function useActColumns(onCarryOut: OfAct['onCarryOut']): SmallTableColumn<Act>[] {
  const { t } = useTexts('retention')
  return [
    { title: t('acts.columns.act'), cell: (act) => <FileOfAct act={act} /> },
    { title: t('acts.columns.state'), cell: (act) => <StateOfAct act={act} onCarryOut={onCarryOut} /> },
    { title: t('acts.columns.documents'), cell: (act) => <ActDocuments act={act} /> },
  ]
}

function FileOfAct({ act: { fileName, preparedBy, preparedAt } }: { act: Act }) {
  return (
    <span className={portalClasses.person}>
      {fileName.replace(/\.pdf$/, '')}
      <small>{`${preparedBy}, ${formatMoment(preparedAt)}`}</small>
    </span>
  )
}

function StateOfAct({ act, onCarryOut }: OfAct) {
  const { t } = useTexts('retention')
  const { state, signed, carriedOutAt } = act
  return (
    <div className={classes.step}>
      <Badge tone={tones[state]}>{t(`acts.states.${state}`)}</Badge>
      {signed && <small>{t('acts.signedBy', { name: signed.by, date: formatMoment(signed.at) })}</small>}
      {carriedOutAt && <small>{t('acts.carriedOutAt', { date: formatMoment(carriedOutAt) })}</small>}
      <NextStep act={act} onCarryOut={onCarryOut} />
    </div>
  )
}

function NextStep({ act, onCarryOut }: OfAct) {
  const { t } = useTexts('retention')
  const { state, documentId } = act
  if (state === 'signed') {
    return (
      <Button size="compact-md" color="red" onClick={() => onCarryOut(act)}>
        {t('acts.carryOut')}
      </Button>
    )
  }
  if (state !== 'prepared' || documentId === null) return null
  return (
    <Button
      size="compact-md"
      variant="light"
      renderRoot={(root) => <Link to="/signingRequests/add/{-$id}" params={{ id: documentId }} {...root} />}
    >
      {t('acts.send')}
    </Button>
  )
}

/** The documents of an act, loaded when the list is opened. */
function ActDocuments({ act }: { act: Act }) {
  const { t } = useTexts('retention')
  const { organization } = usePortalOrganization()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({ ...actDocumentsQuery(organization.Id, act.id), enabled: isOpen })
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('acts.gone', { gone: act.goneCount, count: act.documentCount })}</summary>
      <ul className={classes.documents} aria-label={t('acts.show')}>
        {data?.documents.map(({ signingRequestId, name, isGone, waitsFor }) => (
          <li key={signingRequestId}>
            {name}
            {isGone && <small>{t('acts.isGone')}</small>}
            {waitsFor.length > 0 && act.state === 'carriedOut' && (
              <small>{t('acts.waits', { names: waitsFor.join(', ') })}</small>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

function CarryOutDialog(props: { isOpen: boolean; act: Act | null; onClose: () => void }) {
  const { t } = useTexts('retention')
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const { act } = props
  const ending = useMutation({
    mutationFn: (actId: string) => call(carryOutDestruction, { organizationId: organization.Id, actId }),
    onSuccess: () => {
      toast(t('acts.done'))
      props.onClose()
    },
    onSettled: () => {
      for (const { path } of [getDestructionActs, getRetainedDocuments])
        void client.invalidateQueries({ queryKey: [path] })
    },
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('acts.confirm.title')}
      text={`${t('acts.confirm.text', { count: act?.documentCount ?? 0 })} ${t('acts.confirm.shared')}`}
      yes={t('acts.confirm.yes')}
      isBusy={ending.isPending}
      onYes={() => act && ending.mutate(act.id)}
      onNo={props.onClose}
    />
  )
}
