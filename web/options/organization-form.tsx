/** A form for some options of the organisation: only these are sent, and the menu is updated at once. */
import type { ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { getOptions, saveOptions } from '@kelisim/domain/options/contract.ts'
import type { OrganizationOptions } from '@kelisim/domain/options/options.ts'
import { query } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { type Form, FormFields, SubmitButton, useApiForm } from '../ui/form/form.tsx'
import { SwitchField } from '../ui/form/switch-field.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import classes from './shared/options.module.css'

export function useOptionsForm<N extends keyof OrganizationOptions>(...names: N[]) {
  const { t } = useTexts()
  const client = useQueryClient()
  const router = useRouter()
  const { organization, options } = useWorkplace()
  const fixed = { organizationId: organization.Id }
  return useApiForm({
    id: `options:${organization.Id}:${names.join()}`,
    endpoint: saveOptions,
    fixed,
    initial: pick(options, names),
    onDone: (saved) => {
      client.setQueryData(query(getOptions, fixed).queryKey, saved)
      toast(t('saved'))
      void router.invalidate()
    },
  })
}

export function OptionPage<V extends Partial<OrganizationOptions>>(props: {
  title: string
  lead: string
  form: Form<V>
  children: ReactNode
  after?: ReactNode
}) {
  const { t } = useTexts()
  return (
    <Page title={props.title} lead={props.lead} isNarrow>
      <FormFields form={props.form} label={props.title}>
        <Card>
          <div className={classes.controls}>{props.children}</div>
        </Card>
        <SubmitButton onlyWhenDirty>{t('actions.save')}</SubmitButton>
      </FormFields>
      {props.after}
    </Page>
  )
}

/** One option that is on or off. */
export function OptionSwitch(props: { name: keyof OrganizationOptions; label: string; help: string }) {
  return <SwitchField {...props} />
}

function pick<N extends keyof OrganizationOptions>(options: OrganizationOptions, names: N[]) {
  return Object.fromEntries(names.map((name) => [name, options[name]])) as Pick<OrganizationOptions, N>
}
