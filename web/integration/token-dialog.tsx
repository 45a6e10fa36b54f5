/** Makes a token: for which program, in whose name, what it may do, from where and until when. */
import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { day } from '@kelisim/domain/durations.ts'
import { addToken, getTokens, longestTokenName, mostNetworks } from '@kelisim/domain/integration/contract.ts'
import { scopes, type Scope } from '@kelisim/domain/scopes.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import classes from '../portal/shared/portal.module.css'
import { chipsIn, ChipsField, noChips } from '../ui/form/chips-field.tsx'
import { CheckboxOption } from '../ui/form/choices.tsx'
import { Fields } from '../ui/form/fields.tsx'
import { DialogForm, FormDialog } from '../ui/form/form-dialog.tsx'
import { DateField, TextField, useApiForm, useFormContext, useProblemText } from '../ui/form/form.tsx'
import { dateOf, formatDate } from '../ui/format/dates.ts'
import { MemberField } from './member-field.tsx'

const separators = [',', ';', ' ', '\n', '\t']

/** The default lifetime: long enough to set a program up, short enough that renewal stays a conscious decision. */
const usualLife = 180 * day

export type MadeToken = { name: string; secret: string }

type Props = { onMade: (token: MadeToken) => void; onClose: () => void }

export function TokenDialog({ isOpen, ...props }: Props & { isOpen: boolean }) {
  const { t } = useTexts('integration')
  const { organization } = usePortalOrganization()
  const draft = `token:${organization.Id}`
  return (
    <FormDialog isOpen={isOpen} title={t('addTitle')} draft={draft} onClose={props.onClose}>
      <TokenForm draft={draft} {...props} />
    </FormDialog>
  )
}

function TokenForm({ draft, onMade, onClose }: Props & { draft: string }) {
  const { t } = useTexts('integration')
  const client = useQueryClient()
  const { organization, session } = usePortalOrganization()
  const [lastDay] = useState(() => formatDate(dateInAlmaty(new Date(Date.now() + usualLife))))
  const form = useApiForm({
    id: draft,
    endpoint: addToken,
    fixed: { organizationId: organization.Id },
    initial: {
      name: '',
      actsAs: session.profile.UserId,
      scopes: [] as Scope[],
      addresses: noChips,
      validUntil: lastDay,
    },
    inputOf: ({ validUntil, addresses, ...same }) => ({
      ...same,
      addresses: chipsIn(addresses, separators),
      validUntil: dateOf(validUntil) ?? validUntil,
    }),
    fieldOf: {
      'user-not-found': 'actsAs',
      'token-term-not-allowed': 'validUntil',
      'token-signs-for-another': 'scopes',
    },
    guardsPage: false,
    onDone: ({ token, secret }) => {
      void client.invalidateQueries({ queryKey: [getTokens.path] })
      onMade({ name: token.name, secret })
    },
  })
  return (
    <DialogForm form={form} yes={t('add')} onCancel={onClose}>
      <Fields>
        <TextField name="name" label={t('name')} help={t('nameHelp')} max={longestTokenName} isRequired />
        <MemberField help={t('memberHelp')} />
        <ScopesField />
        <ChipsField
          name="addresses"
          label={t('addresses')}
          help={t('addressesHelp')}
          most={mostNetworks}
          separators={separators}
        />
        <DateField name="validUntil" label={t('validUntil')} help={t('validUntilHelp')} isRequired />
      </Fields>
    </DialogForm>
  )
}

function ScopesField() {
  const { t } = useTexts('integration')
  const { session } = usePortalOrganization()
  const form = useFormContext()
  const problem = useProblemText()(form.problems['scopes'])
  const chosen = form.values['scopes'] as Scope[]
  const isForMe = form.values['actsAs'] === session.profile.UserId
  const toggle = (scope: Scope) =>
    chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope]
  return (
    <fieldset className={classes.choice} data-field="scopes">
      <legend>{t('rights')}</legend>
      {scopes.map((scope) => (
        <CheckboxOption
          key={scope}
          name="scopes"
          label={t(`scopes.${scope}`)}
          description={t(`scopesHelp.${scope}`)}
          checked={chosen.includes(scope)}
          // A program may submit signatures only in the name of the person who makes the token.
          disabled={scope === 'requests.sign' && !isForMe && !chosen.includes(scope)}
          onChange={() => form.set('scopes', toggle(scope))}
        />
      ))}
      {problem && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  )
}
