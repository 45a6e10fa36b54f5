import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { getOrganizations } from '@kelisim/domain/identity/contract.ts'
import { type getCard, saveCard } from '@kelisim/domain/portal/contract.ts'
import type * as z from 'zod/mini'
import { pageConfig } from '../api/page-config.ts'
import { BusinessNumber } from '../ui/format/business-number.tsx'
import { formatDate } from '../ui/format/dates.ts'
import { FormFields, SubmitButton, TextField, useApiForm } from '../ui/form/form.tsx'
import { CheckIcon, WarningIcon } from '../ui/look/icons.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { usePortalOrganization } from './shared/place.ts'
import classes from './shared/portal.module.css'
import { cardQuery } from './shared/queries.ts'

type CardView = z.output<typeof getCard.result>
const fields = ['shortName', 'fullName', 'address', 'phone', 'email'] as const

export function CardPage() {
  const { t } = useTexts()
  const { organization } = usePortalOrganization()
  const { data: card, error, refetch } = useQuery(cardQuery(organization.Id))
  const lead = card && t(card.allowed.edit ? 'portal:card.lead' : 'portal:card.leadRead')
  return (
    <Page title={t('portal:card.title')} isNarrow {...(lead && { lead })}>
      {error && <LoadFailed error={error} onRetry={() => void refetch()} />}
      {!card && !error && <LoadingLines />}
      {card && (
        <>
          <Card title={t('portal:card.about')}>
            <Facts card={card} />
          </Card>
          <Card title={t('portal:card.contacts')}>
            {card.allowed.edit ? <CardForm card={card} /> : <Contacts card={card} />}
          </Card>
        </>
      )}
    </Page>
  )
}

function Facts({ card }: { card: CardView }) {
  const { t } = useTexts()
  return (
    <dl className={classes.facts}>
      <dt>{card.isIndividual ? t('iin') : t('bin')}</dt>
      <dd>
        <BusinessNumber
          number={card.bin}
          copyLabel={t('portal:card.copy')}
          onCopied={() => toast(t('portal:card.copied'))}
        />
      </dd>
      <dt>{t('portal:card.status')}</dt>
      <dd>
        {card.confirmedAt === null ? (
          <>
            <span className={classes.unconfirmed}>
              <WarningIcon size={16} />
              {t('portal:card.unconfirmed')}
            </span>
            <p className={classes.help}>{t('portal:card.unconfirmedHelp')}</p>
            <ConfirmButton card={card} />
          </>
        ) : (
          <span className={classes.confirmed}>
            <CheckIcon size={16} />
            {t('portal:card.confirmed', { date: formatDate(card.confirmedAt) })}
          </span>
        )}
      </dd>
      <dt>{t('portal:card.members')}</dt>
      <dd>{card.membersCount}</dd>
      <dt>{t('portal:card.groups')}</dt>
      <dd>{card.groupsCount}</dd>
      <dt>{t('portal:card.added')}</dt>
      <dd>{formatDate(card.createdAt)}</dd>
    </dl>
  )
}

function ConfirmButton({ card }: { card: CardView }) {
  const { t } = useTexts()
  const dialog = useDialog<null>()
  const { signer } = pageConfig
  if (!signer) return null
  return (
    <>
      <Button mt={12} variant="default" onClick={() => dialog.open(null)}>
        {t('portal:card.confirm')}
      </Button>
      <ConfirmDialog
        isOpen={dialog.isOpen}
        signer={signer}
        organization={{ id: card.id, kind: card.isIndividual ? 'individual' : 'organization' }}
        onClose={dialog.close}
      />
    </>
  )
}

function Contacts({ card }: { card: CardView }) {
  const { t } = useTexts()
  return (
    <dl className={classes.facts}>
      {fields.map((name) => (
        <Fact key={name} name={t(`portal:card.${name}`)} value={card[name] || t('portal:card.none')} />
      ))}
    </dl>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  )
}

function CardForm({ card }: { card: CardView }) {
  const { t } = useTexts()
  const client = useQueryClient()
  const router = useRouter()
  const fixed = { organizationId: card.id }
  const form = useApiForm({
    id: `card:${card.id}`,
    endpoint: saveCard,
    fixed: { ...fixed, currentVersion: card.currentVersion },
    initial: contactsOf(card),
    onDone: (saved) => {
      client.setQueryData(cardQuery(card.id).queryKey, saved)
      form.reset(contactsOf(saved)) // the server trims what was typed
      toast(t('saved'))
      // The name stands in the header too.
      void client.refetchQueries({ queryKey: [getOrganizations.path] }).then(() => router.invalidate())
    },
  })
  return (
    <FormFields form={form} label={t('portal:card.contacts')}>
      <div className={classes.fields}>
        <TextField name="shortName" label={t('portal:card.shortName')} max={250} isRequired />
        <TextField name="fullName" label={t('portal:card.fullName')} max={500} />
        <TextField name="address" label={t('portal:card.address')} max={500} />
        <div className={classes.pair}>
          <TextField name="phone" label={t('portal:card.phone')} type="tel" inputMode="tel" max={50} />
          <TextField name="email" label={t('portal:card.email')} type="email" inputMode="email" max={254} />
        </div>
        <div>
          <SubmitButton onlyWhenDirty>{t('actions.save')}</SubmitButton>
        </div>
      </div>
    </FormFields>
  )
}

function contactsOf({ shortName, fullName, address, phone, email }: CardView) {
  return { shortName, fullName, address, phone, email }
}
