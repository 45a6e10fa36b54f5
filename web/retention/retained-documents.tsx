/** Documents that have ended, the longest ended first: until when they are kept, and what can be done with them. */
import { Anchor } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  downloadTransferPackage,
  getRetainedDocuments,
  liftHold,
} from '@kelisim/domain/retention/contract.ts'
import type { KeepingState } from '@kelisim/domain/retention/terms.ts'
import { call } from '../api/api.ts'
import { fetchFile, saveBytes } from '../api/file-api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import portalClasses from '../portal/shared/portal.module.css'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { formatDate, formatMoment } from '../ui/format/dates.ts'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import { RowAction } from '../ui/list/row-action.tsx'
import { Badge, type Tone } from '../ui/look/badge.tsx'
import { CloseIcon, DownloadIcon, PauseIcon } from '../ui/look/icons.tsx'
import { NoData } from '../ui/page/states.tsx'
import { HoldDialog } from './hold-dialog.tsx'
import { retainedQuery, type Retained } from './queries.ts'
import classes from './retention.module.css'

const tones: Record<KeepingState, Tone> = {
  held: 'gold',
  due: 'bad',
  kept: 'ok',
  forever: 'ok',
  unknown: 'off',
}

export function RetainedDocuments() {
  const { t } = useTexts('retention')
  const { organization } = usePortalOrganization()
  const holding = useDialog<Retained>()
  const lifting = useDialog<Retained>()
  const pack = usePackage()
  return (
    <section aria-label={t('documents.title')}>
      <h2 className={classes.heading}>{t('documents.title')}</h2>
      <List
        id="retained"
        label={t('documents.title')}
        source={retainedQuery(organization.Id, useListSearch())}
        columns={useColumns()}
        rowKey={({ signingRequestId }) => signingRequestId}
        searchLabel={t('documents.search')}
        empty={<NoData text={t('documents.empty')} />}
        actions={useActions({ onPack: pack.mutate, onHold: holding.open, onLift: lifting.open })}
      />
      <HoldDialog isOpen={holding.isOpen} document={holding.subject} onClose={holding.close} />
      <LiftDialog isOpen={lifting.isOpen} document={lifting.subject} onClose={lifting.close} />
    </section>
  )
}

type Actions = Record<'onPack' | 'onHold' | 'onLift', (document: Retained) => void>

function useActions({ onPack, onHold, onLift }: Actions) {
  const { t } = useTexts('retention')
  return (document: Retained) => (
    <>
      {document.isSigned && (
        <RowAction label={t('package.action', { name: document.name })} onClick={() => onPack(document)}>
          <DownloadIcon />
        </RowAction>
      )}
      {document.hold ? (
        <RowAction label={t('lift.action', { name: document.name })} onClick={() => onLift(document)}>
          <CloseIcon />
        </RowAction>
      ) : (
        <RowAction label={t('hold.action', { name: document.name })} onClick={() => onHold(document)}>
          <PauseIcon />
        </RowAction>
      )}
    </>
  )
}

function usePackage() {
  const { organization } = usePortalOrganization()
  return useMutation({
    mutationFn: async ({ signingRequestId, name }: Retained) => {
      const bytes = await fetchFile(downloadTransferPackage, {
        organizationId: organization.Id,
        signingRequestId,
      })
      saveBytes(bytes, `${name}.zip`, 'application/zip')
    },
  })
}

function useColumns(): Column<Retained>[] {
  const { t } = useTexts('retention')
  return [
    {
      key: 'name',
      title: t('documents.columns.name'),
      isFixed: true,
      cell: (document) => <DocumentCell document={document} />,
    },
    {
      key: 'ended',
      title: t('documents.columns.ended'),
      width: 130,
      cell: ({ endedOn }) => formatDate(endedOn),
    },
    {
      key: 'until',
      title: t('documents.columns.until'),
      cell: ({ until, basis, state }) => (
        <span className={portalClasses.person}>
          {until !== null ? formatDate(until) : t(basis === null ? 'documents.unknown' : 'documents.forever')}
          {basis !== null && state !== 'unknown' && <small>{basis}</small>}
        </span>
      ),
    },
    {
      key: 'state',
      title: t('documents.columns.state'),
      cell: ({ state, hold }) => (
        <span className={portalClasses.person}>
          <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>
          {hold && (
            <small>{t('held', { reason: hold.reason, name: hold.by, date: formatMoment(hold.at) })}</small>
          )}
        </span>
      ),
    },
  ]
}

function DocumentCell({ document: { signingRequestId, name, number, kind } }: { document: Retained }) {
  const { t } = useTexts('retention')
  const small = [kind, number === null ? null : t('documents.number', { number })].filter(Boolean).join(', ')
  return (
    <span className={portalClasses.person}>
      <Anchor
        component={Link}
        to="/signingRequests/$route/$id"
        params={{ route: 'outgoings', id: signingRequestId } as never}
        underline="always"
      >
        {name}
      </Anchor>
      {small && <small>{small}</small>}
    </span>
  )
}

function LiftDialog(props: { isOpen: boolean; document: Retained | null; onClose: () => void }) {
  const { t } = useTexts('retention')
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const { document } = props
  const lifting = useMutation({
    mutationFn: (holdId: string) => call(liftHold, { organizationId: organization.Id, holdId }),
    onSuccess: () => {
      toast(t('lift.done'))
      props.onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: [getRetainedDocuments.path] }),
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('lift.title')}
      text={t('lift.text', { name: document?.name ?? '' })}
      yes={t('lift.yes')}
      isBusy={lifting.isPending}
      onYes={() => document?.hold && lifting.mutate(document.hold.id)}
      onNo={props.onClose}
    />
  )
}
