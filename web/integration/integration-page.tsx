/** Programs that act for the organisation: their tokens, what each may do and when it was last used. */
import { Anchor, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { getTokens, revokeToken, type TokenView } from '@kelisim/domain/integration/contract.ts'
import type { TokenState } from '@kelisim/domain/integration/token.ts'
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
import { Directory } from './directory.tsx'
import { GroupMapping } from './group-mapping.tsx'
import { tokensQuery } from './queries.ts'
import { SecretDialog, type Secret } from './secret-dialog.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { Webhooks } from './webhooks.tsx'

type Token = z.output<typeof TokenView>

export function IntegrationPage() {
  return (
    <OwnersOnly>
      <Tokens />
    </OwnersOnly>
  )
}

function Tokens() {
  const { t } = useTexts('integration')
  const { organization } = usePortalOrganization()
  const adding = useDialog<null>()
  const made = useDialog<Secret>()
  const revoking = useDialog<Token>()
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
        id="tokens"
        label={t('tokens')}
        source={tokensQuery(organization.Id, useListSearch())}
        columns={columns}
        rowKey={({ id }) => id}
        searchLabel={t('search')}
        empty={<NoData text={t('empty')} />}
        actions={actions}
      />
      <p className={classes.help}>
        <Anchor href="/developers" target="_blank" underline="always">
          {t('documentation')}
        </Anchor>
      </p>
      <TokenDialog
        isOpen={adding.isOpen}
        onMade={(token) => {
          adding.close()
          made.open({
            title: t('madeTitle'),
            text: t('madeText'),
            label: t('secret', { name: token.name }),
            value: token.secret,
          })
        }}
        onClose={adding.close}
      />
      <SecretDialog isOpen={made.isOpen} secret={made.subject} onClose={made.close} />
      <Directory />
      <GroupMapping />
      <Webhooks />
      <RevokeDialog isOpen={revoking.isOpen} token={revoking.subject} onClose={revoking.close} />
    </Page>
  )
}

const tones: Record<TokenState, 'ok' | 'off' | 'bad'> = {
  valid: 'ok',
  expired: 'off',
  revoked: 'bad',
  'member-left': 'bad',
}

function useColumns(): Column<Token>[] {
  const { t } = useTexts('integration')
  return [
    {
      key: 'name',
      title: t('columns.name'),
      isFixed: true,
      width: 240,
      cell: ({ name, ending, actsAs }) => (
        <span className={classes.person}>
          <b>{name}</b>
          <small>{t('ending', { ending })}</small>
          <small>{t('actsAs', { name: actsAs.fullName })}</small>
        </span>
      ),
    },
    {
      key: 'scopes',
      title: t('columns.scopes'),
      cell: ({ scopes, addresses }) => (
        <span className={classes.person}>
          <span className={classes.badges}>
            {scopes.map((scope) => (
              <Badge key={scope} tone="off">
                {t(`scopes.${scope}`)}
              </Badge>
            ))}
          </span>
          {addresses.length > 0 && <small>{t('onlyFrom', { addresses: addresses.join(', ') })}</small>}
        </span>
      ),
    },
    {
      key: 'term',
      title: t('columns.term'),
      width: 180,
      cell: ({ validUntil, state }) => (
        <span className={classes.person}>
          {t('until', { date: formatDate(validUntil) })}{' '}
          <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>
        </span>
      ),
    },
    {
      key: 'use',
      title: t('columns.use'),
      width: 200,
      cell: ({ lastUsedAt, lastUsedAddress }) =>
        lastUsedAt === null ? (
          <span className={classes.none}>{t('neverUsed')}</span>
        ) : (
          <span className={classes.person}>
            {formatMoment(lastUsedAt)}
            <small>{t('usedFrom', { address: lastUsedAddress ?? '' })}</small>
          </span>
        ),
    },
  ]
}

function useActions(onRevoke: (token: Token) => void) {
  const { t } = useTexts('integration')
  return (token: Token) =>
    token.state === 'revoked' ? null : (
      <RowAction label={t('revoke', { name: token.name })} isDangerous onClick={() => onRevoke(token)}>
        <CloseIcon />
      </RowAction>
    )
}

function RevokeDialog(props: { isOpen: boolean; token: Token | null; onClose: () => void }) {
  const { t } = useTexts('integration')
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const { token } = props
  const revocation = useMutation({
    mutationFn: (tokenId: string) => call(revokeToken, { organizationId: organization.Id, tokenId }),
    onSuccess: () => {
      toast(t('revoked'))
      props.onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: [getTokens.path] }),
  })
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={t('revokeTitle')}
      text={t('revokeText', { name: token?.name ?? '' })}
      yes={t('revokeYes')}
      isDangerous
      isBusy={revocation.isPending}
      onYes={() => token && revocation.mutate(token.id)}
      onNo={props.onClose}
    />
  )
}
