import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTexts } from '../i18n/use-texts.ts'
import { longestEmail } from '@kelisim/domain/email-address.ts'
import { getOrganizations } from '@kelisim/domain/identity/contract.ts'
import { type getCard, saveCard } from '@kelisim/domain/portal/contract.ts'
import type * as z from 'zod/mini'
import { pageConfig } from '../api/page-config.ts'
import { BusinessNumber } from '../ui/format/business-number.tsx'
import { formatDate } from '../ui/format/dates.ts'
import { Fields } from '../ui/form/fields.tsx'
import { FormFields, SubmitButton, TextField, useApiForm } from '../ui/form/form.tsx'
import { Badge } from '../ui/look/badge.tsx'
import { CheckIcon, WarningIcon } from '../ui/look/icons.tsx'
import { Facts } from '../ui/page/facts.tsx'
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
            <CardFacts card={card} />
          </Card>
          <Card title={t('portal:card.contacts')}>
            {card.allowed.edit ? <CardForm card={card} /> : <Contacts card={card} />}
          </Card>
        </>
      )}
    </Page>
  )
}

function CardFacts({ card }: { card: CardView }) {
  const { t } = useTexts()
  const number = (
    <BusinessNumber
      number={card.bin}
      copyLabel={t('portal:card.copy')}
      onCopied={() => toast(t('portal:card.copied'))}
    />
  )
  return (
    <Facts
      rows={[
        [card.isIndividual ? t('iin') : t('bin'), number],
        [t('portal:card.status'), <Confirmation key="confirmation" card={card} />],
        [t('portal:card.members'), card.membersCount],
        [t('portal:card.groups'), card.groupsCount],
        [t('portal:card.added'), formatDate(card.createdAt)],
      ]}
    />
  )
}

function Confirmation({ card }: { card: CardView }) {
  const { t } = useTexts()
  if (card.confirmedAt !== null) {
    return (
      <Badge tone="ok">
        <CheckIcon size={16} />
        {t('portal:card.confirmed', { date: formatDate(card.confirmedAt) })}
      </Badge>
    )
  }
  return (
    <>
      <Badge tone="gold">
        <WarningIcon size={16} />
        {t('portal:card.unconfirmed')}
      </Badge>
      <p className={classes.help}>{t('portal:card.unconfirmedHelp')}</p>
      <ConfirmButton card={card} label={t('portal:card.confirm')} />
    </>
  )
}

function ConfirmButton({ card, label }: { card: CardView; label: string }) {
  const dialog = useDialog<null>()
  const { signer } = pageConfig
  if (!signer) return null
  return (
    <>
      <Button mt={12} variant="default" onClick={() => dialog.open(null)}>
        {label}
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
    <Facts rows={fields.map((name) => [t(`portal:card.${name}`), card[name] || t('portal:card.none')])} />
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
      // The header shows the name too.
      void client.refetchQueries({ queryKey: [getOrganizations.path] }).then(() => router.invalidate())
    },
  })
  return (
    <FormFields form={form} label={t('portal:card.contacts')}>
      <Fields>
        {card.confirmedAt === null ? (
          <TextField name="shortName" label={t('portal:card.shortName')} max={250} isRequired />
        ) : (
          <Facts rows={[[t('portal:card.shortName'), <ProvedName key="name" card={card} />]]} />
        )}
        <TextField name="fullName" label={t('portal:card.fullName')} max={500} />
        <TextField name="address" label={t('portal:card.address')} max={500} />
        <div className={classes.pair}>
          <TextField name="phone" label={t('portal:card.phone')} type="tel" inputMode="tel" max={50} />
          <TextField
            name="email"
            label={t('portal:card.email')}
            type="email"
            inputMode="email"
            max={longestEmail}
          />
        </div>
        <div>
          <SubmitButton onlyWhenDirty>{t('actions.save')}</SubmitButton>
        </div>
      </Fields>
    </FormFields>
  )
}

/** The proved name comes from a certificate, so only a newer certificate changes it. */
function ProvedName({ card }: { card: CardView }) {
  const { t } = useTexts()
  return (
    <>
      {card.shortName}
      <p className={classes.help}>{t('portal:card.provedName')}</p>
      <ConfirmButton card={card} label={t('portal:card.confirmAgain')} />
    </>
  )
}

function contactsOf({ shortName, fullName, address, phone, email }: CardView) {
  return { shortName, fullName, address, phone, email }
}
