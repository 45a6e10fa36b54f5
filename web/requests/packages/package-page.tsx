/** Sends several documents along one route, all of them or none. */
import { useState } from 'react'
import { Radio } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { longestRequestDescription, longestRequestName } from '@kelisim/domain/requests/contract.ts'
import { createPackage } from '@kelisim/domain/requests/packages/contract.ts'
import { mostInPackage } from '@kelisim/domain/requests/parts.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { query } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { KindField } from '../../registers/kind-field.tsx'
import { useWorkplace } from '../../shell/session/session.ts'
import { idOf, useAddress } from '../../ui/browser/address.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { RadioCard, RadioCards } from '../../ui/form/choices.tsx'
import { Fields } from '../../ui/form/fields.tsx'
import { FormFields, SubmitButton, TextField, useApiForm } from '../../ui/form/form.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { WithAside } from '../../ui/page/with-aside.tsx'
import { factsOf, noFacts, RouteFactsCard } from '../sending/route-facts.tsx'
import { SendCheckAside, type Remedy } from '../sending/send-check.tsx'
import { ExpiryField, sentDate, SigningDateField, TagsField } from '../sending/send-fields.tsx'
import { OptionsCard, RouteDialogs } from '../sending/send-options.tsx'
import { RouteCard, useChosenRoute, type RouteToEdit } from '../sending/send-route.tsx'
import { newSending } from '../sending/sending-start.tsx'
import { useSent } from '../sending/use-sent.ts'
import { PackageDocuments, type ChosenDocument } from './package-documents.tsx'
import classes from './packages.module.css'
import { usePackageCheck } from './use-package-check.ts'

export function AddPackagePage() {
  const { t } = useTexts('requests-packages')
  const { documents = '' } = useAddress().search
  const ids = documents.split(',').flatMap((id) => idOf(id) ?? [])
  return (
    <Page title={t('title')} lead={t('lead')}>
      <PackageForm key={ids.join()} ids={ids.slice(0, mostInPackage)} />
    </Page>
  )
}

function useStart(ids: readonly string[]) {
  return useState(() => {
    const { documentId: _, signingRequestId: __, ...common } = newSending({ document: null, again: null })
    return {
      ...common,
      // The names are filled in when the documents have been loaded.
      documents: [...new Set(ids)].map((documentId): ChosenDocument => ({ documentId, name: null })),
      isTogether: true,
      routeId: '',
      routeVersion: 0,
      facts: noFacts,
      /** Generated here, so that a retry after a lost response sends the package once. */
      packageId: crypto.randomUUID(),
    }
  })[0]
}

function PackageForm({ ids }: { ids: readonly string[] }) {
  const { t } = useTexts('requests-packages')
  const { t: ofSending } = useTexts('requests-sending')
  const { organization } = useWorkplace()
  const organizationId = organization.Id
  const client = useQueryClient()
  const sent = useSent()
  const editing = useDialog<RouteToEdit>()
  const outdated = useDialog<number>()
  const form = useApiForm({
    id: `package:${organizationId}:${ids.join()}`,
    endpoint: createPackage,
    fixed: { organizationId },
    initial: useStart(ids),
    inputOf: ({ isCodeWrong, generationSetting, signingDate, kindId, facts, expiresOn, ...values }) => ({
      ...values,
      documents: values.documents.map(({ documentId, name }) => ({
        documentId,
        name: name ?? '',
        ...(kindId && { kindId }),
      })),
      ...(expiresOn && { expiresOn: sentDate(expiresOn) }),
      facts: factsOf(facts),
      signingDate: sentDate(signingDate),
      generationSetting: isCodeWrong ? null : generationSetting,
    }),
    fieldOf: {
      'classificator-not-found': 'classificatorsV2',
      'kind-not-found': 'kindId',
      'journal-closed': 'kindId',
      'expiry-date-past': 'expiresOn',
    },
    onDone: ({ requests: [first] }) => sent(first!),
    onRefusal: ({ alias }) => {
      // This package was already sent: pressing the button again sends another one.
      if (alias === 'sent-before') form.change({ packageId: crypto.randomUUID() })
      void asked.refetch()
      if (alias !== 'outdated-route') return false
      outdated.open(form.values.routeVersion)
      return true
    },
  })
  const { routeId, isTogether, documents } = form.values
  const count = documents.length
  const asked = usePackageCheck(form.values)
  const { data: route } = useChosenRoute(routeId)
  const isRefused = asked.isRefused

  function chooseRoute({ id, currentVersion }: { id: string; currentVersion: number }): void {
    form.change({ routeId: id, routeVersion: currentVersion })
    void client.invalidateQueries({
      queryKey: query(routeCalls.get, { organizationId, routeId: id }).queryKey,
    })
    if (id === routeId) void asked.refetch()
  }

  function remedy(kind: Remedy): void {
    if (kind === 'route' && route) return editing.open({ route })
    const field = kind === 'document' ? 'documents' : 'routeId'
    globalThis.document.querySelector<HTMLElement>(`[data-field="${field}"]`)?.focus()
  }

  return (
    <>
      <FormFields form={form} label={t('title')}>
        <WithAside
          aside={
            <SendCheckAside asked={asked} mayEditRoute={route?.allowed.edit ?? false} onRemedy={remedy} />
          }
        >
          <PackageDocuments refusalsOf={asked.refusalsOf} />
          <Card title={t('decided.title')}>
            <Radio.Group
              aria-label={t('decided.title')}
              value={isTogether ? 'together' : 'apart'}
              onChange={(value) => form.set('isTogether', value === 'together')}
            >
              <RadioCards>
                {(['together', 'apart'] as const).map((value) => (
                  <RadioCard
                    key={value}
                    value={value}
                    isSelected={isTogether === (value === 'together')}
                    label={t(`decided.${value}`)}
                    help={t(`decided.${value}Help`)}
                  />
                ))}
              </RadioCards>
            </Radio.Group>
          </Card>
          <Card title={t('about')}>
            <Fields>
              <TextField
                name="name"
                label={t('name')}
                help={t('nameHelp')}
                max={longestRequestName}
                isRequired
              />
              <TextField
                name="description"
                label={ofSending('about.description')}
                max={longestRequestDescription}
                lines={2}
              />
              <SigningDateField />
              <ExpiryField />
              <KindField />
              <TagsField />
            </Fields>
          </Card>
          <RouteCard onChosen={chooseRoute} onEdit={editing.open} />
          {asked.trial?.conditions && <RouteFactsCard conditions={asked.trial.conditions} />}
          <OptionsCard />
        </WithAside>
        <div className={classes.sending}>
          <SubmitButton isOff={isRefused}>{count === 0 ? t('sendNone') : t('send', { count })}</SubmitButton>
          {isRefused && (
            <span className={classes.bad} role="status">
              {ofSending('trial.fixFirst')}
            </span>
          )}
        </div>
      </FormFields>
      <RouteDialogs editing={editing} outdated={outdated} routeId={routeId} onChosen={chooseRoute} />
    </>
  )
}
