/**
 * Documents whose requests have ended, the oldest ending first: until when they are kept, and the actions on them.
 */
import { useState } from 'react'
import { Anchor, Button, SegmentedControl } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  downloadTransferPackage,
  getRetainedDocuments,
  liftHold,
} from '@kelisim/domain/retention/contract.ts'
import {
  getDestructionActs,
  mostInAct,
  prepareDestruction,
} from '@kelisim/domain/retention/destruction-contract.ts'
import type { RetainedState } from '@kelisim/domain/retention/terms.ts'
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

const tones: Record<RetainedState, Tone> = {
  held: 'gold',
  due: 'bad',
  kept: 'ok',
  forever: 'ok',
  unknown: 'off',
  destroyed: 'off',
}

export function RetainedDocuments() {
  const { t } = useTexts('retention')
  const { organization } = usePortalOrganization()
  const holding = useDialog<Retained>()
  const lifting = useDialog<Retained>()
  const pack = usePackage()
  const search = useListSearch()
  const [direction, setDirection] = useState<'sent' | 'received'>('sent')
  const [selected, setSelected] = useState<string[]>([])
  return (
    <section aria-label={t('documents.title')}>
      <h2 className={classes.heading}>{t('documents.title')}</h2>
      <div className={classes.choices}>
        <SegmentedControl
          aria-label={t('documents.direction')}
          data={(['sent', 'received'] as const).map((value) => ({ value, label: t(`documents.${value}`) }))}
          value={direction}
          onChange={(value) => {
            setDirection(value === 'received' ? 'received' : 'sent')
            search.change({ page: undefined })
          }}
        />
        {selected.length > 0 && <PrepareButton selected={selected} onDone={() => setSelected([])} />}
      </div>
      <List
        id="retained"
        label={t('documents.title')}
        source={retainedQuery(organization.Id, search, direction === 'received')}
        selection={{
          selected,
          onChange: (chosen) => setSelected(chosen.slice(0, mostInAct)),
          labelOf: ({ name }) => t('acts.choose', { name }),
          maySelect: ({ state }) => state === 'due',
        }}
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

function PrepareButton({ selected, onDone }: { selected: readonly string[]; onDone: () => void }) {
  const { t } = useTexts('retention')
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const preparing = useMutation({
    mutationFn: () =>
      call(prepareDestruction, { organizationId: organization.Id, signingRequestIds: [...selected] }),
    onSuccess: () => {
      toast(t('acts.prepared'))
      onDone()
    },
    onSettled: () => client.invalidateQueries({ queryKey: [getDestructionActs.path] }),
  })
  return (
    <Button loading={preparing.isPending} onClick={() => preparing.mutate()}>
      {t('acts.prepare', { count: selected.length })}
    </Button>
  )
}

type Actions = Record<'onPack' | 'onHold' | 'onLift', (document: Retained) => void>

function useActions({ onPack, onHold, onLift }: Actions) {
  const { t } = useTexts('retention')
  return (document: Retained) => (
    <>
      {document.isSigned && document.state !== 'destroyed' && (
        <RowAction label={t('package.action', { name: document.name })} onClick={() => onPack(document)}>
          <DownloadIcon />
        </RowAction>
      )}
      {document.hold ? (
        <RowAction label={t('lift.action', { name: document.name })} onClick={() => onLift(document)}>
          <CloseIcon />
        </RowAction>
      ) : document.state === 'destroyed' ? null : (
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

function DocumentCell({ document }: { document: Retained }) {
  const { t } = useTexts('retention')
  const { signingRequestId, name, number, kind, isReceived } = document
  const small = [kind, number === null ? null : t('documents.number', { number })].filter(Boolean).join(', ')
  return (
    <span className={portalClasses.person}>
      <Anchor
        component={Link}
        to="/signingRequests/$route/$id"
        params={{ route: isReceived ? 'incomings' : 'outgoings', id: signingRequestId } as never}
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
