/**
 * The register of powers of attorney: who may act for the organisation, in which matters, until when, and its
 * document.
 */
import { Anchor, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getPowers, revokePower, type PowerView } from '@kelisim/domain/powers-of-attorney/contract.ts'
import type { PowerState } from '@kelisim/domain/powers-of-attorney/power.ts'
import { unbroken } from '@kelisim/domain/numbers.ts'
import type * as z from 'zod/mini'
import { call } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { OwnersOnly } from '../portal/shared/owners-only.tsx'
import { usePortalOrganization } from '../portal/shared/place.ts'
import classes from '../portal/shared/portal.module.css'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { formatDate, formatMoment } from '../ui/format/dates.ts'
import type { Column } from '../ui/list/columns.tsx'
import { useListSearch } from '../ui/list/list-search.ts'
import { List } from '../ui/list/list.tsx'
import { RowAction } from '../ui/list/row-action.tsx'
import { Badge } from '../ui/look/badge.tsx'
import { CloseIcon, PlusIcon } from '../ui/look/icons.tsx'
import { Page } from '../ui/page/page.tsx'
import { NoData } from '../ui/page/states.tsx'
import { PowerDialog } from './power-dialog.tsx'
import { powersQuery } from './queries.ts'

type Power = z.output<typeof PowerView>

export function PowersPage() {
  return (
    <OwnersOnly>
      <Powers />
    </OwnersOnly>
  )
}

function Powers() {
  const { t } = useTexts('powers-of-attorney')
  const { organization } = usePortalOrganization()
  const adding = useDialog<null>()
  const revoking = useDialog<Power>()
  const columns = useColumns()
  const actions = useActions(revoking.open)
  const add = (
    <Button leftSection={<PlusIcon />} onClick={() => adding.open(null)}>
      {t('add')}
    </Button>
  )
  return (
    <Page title={t('title')} lead={t('lead')} action={add}>
      <List
        id="powers"
        label={t('title')}
        source={powersQuery(organization.Id, useListSearch())}
        columns={columns}
        rowKey={({ id }) => id}
        searchLabel={t('search')}
        empty={<NoData text={t('empty')} />}
        actions={actions}
      />
      <PowerDialog isOpen={adding.isOpen} onClose={adding.close} />
      <RevokeDialog isOpen={revoking.isOpen} power={revoking.subject} onClose={revoking.close} />
    </Page>
  )
}

const tones: Record<PowerState, 'ok' | 'off' | 'bad'> = {
  upcoming: 'off',
  valid: 'ok',
  expired: 'off',
  revoked: 'bad',
}

function useColumns(): Column<Power>[] {
  const { t } = useTexts('powers-of-attorney')
  return [
    {
      key: 'holder',
      title: t('columns.holder'),
      isFixed: true,
      cell: ({ holderName, holderIin }) => (
        <span className={classes.person}>
          <b>{holderName}</b>
          <small>{t('iin', { number: unbroken(holderIin) })}</small>
        </span>
      ),
    },
    {
      key: 'scope',
      title: t('columns.scope'),
      cell: ({ direction, counterparties, note }) => (
        <span className={classes.person}>
          {t(`directions.${direction}`)}
          {counterparties.length > 0 && (
            <small>{t('onlyWith', { numbers: counterparties.map(unbroken).join(', ') })}</small>
          )}
          {note && <small>{note}</small>}
        </span>
      ),
    },
    {
      key: 'term',
      title: t('columns.term'),
      width: 220,
      cell: ({ validFrom, validUntil, state }) => (
        <span className={classes.person}>
          {t('term', { from: formatDate(validFrom), to: formatDate(validUntil) })}
          <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>
        </span>
      ),
    },
    {
      key: 'document',
      title: t('columns.document'),
      cell: ({ number, document }) => (
        <span className={classes.person}>
          <Anchor
            component={Link}
            to="/signingRequests/$route/$id"
            params={{ route: 'outgoings', id: document.signingRequestId } as never}
            underline="always"
          >
            {t('numbered', { number })}
          </Anchor>
          <small>{t('signedBy', { name: document.signedBy, date: formatMoment(document.signedAt) })}</small>
          <small>{t('notRead')}</small>
        </span>
      ),
    },
  ]
}

function useActions(onRevoke: (power: Power) => void) {
  const { t } = useTexts('powers-of-attorney')
  return (power: Power) =>
    power.state === 'valid' || power.state === 'upcoming' ? (
      <RowAction label={t('revoke', { number: power.number })} isDangerous onClick={() => onRevoke(power)}>
        <CloseIcon />
      </RowAction>
    ) : null
}

function RevokeDialog(props: { isOpen: boolean; power: Power | null; onClose: () => void }) {
  const { t } = useTexts('powers-of-attorney')
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const { power } = props
  const revocation = useMutation({
    mutationFn: (powerId: string) => call(revokePower, { organizationId: organization.Id, powerId }),
    onSuccess: () => {
      toast(t('revoked'))
      props.onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: [getPowers.path] }),
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('revokeTitle')}
      text={t('revokeText', { name: power?.holderName ?? '', number: power?.number ?? '' })}
      yes={t('revokeYes')}
      isDangerous
      isBusy={revocation.isPending}
      onYes={() => power && revocation.mutate(power.id)}
      onNo={props.onClose}
    />
  )
}
