/** Sends a document along a route and shows beforehand what will happen. */
import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { getDocument } from '@kelisim/domain/documents/contract.ts'
import { createRequest } from '@kelisim/domain/requests/contract.ts'
import type { PointPlace } from '@kelisim/domain/requests/places/place.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { query } from '../../api/api.ts'
import type { DocumentView } from '../../documents/shared/document-acts.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { KindField } from '../../registers/kind-field.tsx'
import { useWorkplace } from '../../shell/session/session.ts'
import { useAddress } from '../../ui/browser/address.ts'
import { Fields } from '../../ui/form/fields.tsx'
import { FormFields, SubmitButton, useApiForm } from '../../ui/form/form.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { WithAside } from '../../ui/page/with-aside.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { DocumentCard, nameOfFile } from './send-document.tsx'
import { ExpiryField, NameFields, sentDate, SigningDateField, TagsField } from './send-fields.tsx'
import { placesAlong, SealPlacesCard } from './seal-places.tsx'
import { factsOf, RouteFactsCard, typedFacts } from './route-facts.tsx'
import { OptionsCard, RouteDialogs } from './send-options.tsx'
import { RouteCard, useChosenRoute, type RouteToEdit } from './send-route.tsx'
import { draftOf, newSending, WithStart, type SendingStart } from './sending-start.tsx'
import { SendCheckAside, useSendCheck, type Remedy } from './send-check.tsx'
import classes from './send.module.css'
import { useSent } from './use-sent.ts'

export function AddRequestPage() {
  const { t } = useTexts('requests-sending')
  const { follows } = useAddress().search
  return (
    <Page title={t(follows === undefined ? 'title' : 'againTitle')}>
      <WithStart>{(start) => <SendForm start={start} />}</WithStart>
    </Page>
  )
}

function useStart(start: SendingStart) {
  return useState(() => ({
    ...newSending(start),
    routeId: start.again?.route?.id ?? '',
    routeVersion: start.again?.route?.currentVersion ?? 0,
    facts: typedFacts(start.again?.facts),
    places: [] as PointPlace[],
  }))[0]
}

function SendForm({ start }: { start: SendingStart }) {
  const { t } = useTexts('requests-sending')
  const { organization } = useWorkplace()
  const { document, again } = start
  const organizationId = organization.Id
  const client = useQueryClient()
  const sent = useSent()
  const editing = useDialog<RouteToEdit>()
  const outdated = useDialog<number>()
  const [isBesides, setBesides] = useState(false)
  const form = useApiForm({
    id: `send:${organizationId}:${draftOf(start)}`,
    endpoint: createRequest,
    fixed: { organizationId, ...(again && !isBesides && { followsId: again.id }) },
    initial: useStart(start),
    inputOf: ({
      isCodeWrong,
      generationSetting,
      signingDate,
      kindId,
      facts,
      expiresOn,
      places,
      ...values
    }) => ({
      ...values,
      places: placesAlong(route, places),
      ...(expiresOn && { expiresOn: sentDate(expiresOn) }),
      facts: factsOf(facts),
      ...(kindId && { kindId }),
      signingDate: sentDate(signingDate),
      generationSetting: isCodeWrong ? null : generationSetting,
    }),
    fieldOf: {
      'classificator-not-found': 'classificatorsV2',
      'kind-not-found': 'kindId',
      'journal-closed': 'kindId',
      'expiry-date-past': 'expiresOn',
    },
    onDone: sent,
    onRefusal: ({ alias }) => {
      // The document was already sent: pressing the button again sends another request, which does not follow the
      // ended one, because the first request already does.
      if (alias === 'sent-before') {
        setBesides(true)
        form.change({ signingRequestId: crypto.randomUUID() })
      }
      void asked.refetch()
      if (alias !== 'outdated-route') return false
      outdated.open(form.values.routeVersion)
      return true
    },
  })
  const { routeId } = form.values
  const asked = useSendCheck(form.values)
  const { data: route } = useChosenRoute(routeId)
  const isRefused = (asked.trial?.refusals.length ?? 0) > 0

  function chooseRoute({ id, currentVersion }: { id: string; currentVersion: number }): void {
    form.change({ routeId: id, routeVersion: currentVersion })
    void client.invalidateQueries({
      queryKey: query(routeCalls.get, { organizationId, routeId: id }).queryKey,
    })
    if (id === routeId) void asked.refetch()
  }

  function chooseDocument(chosen: DocumentView | null): void {
    if (chosen) {
      client.setQueryData(query(getDocument, { organizationId, documentId: chosen.id }).queryKey, chosen)
      setLastName(nameOfFile(chosen.name))
    }
    form.change(({ name }) => ({
      documentId: chosen?.id ?? '',
      // The places were chosen on the pages of another document.
      places: [],
      // A typed name stays; the name of another file is replaced.
      ...(chosen && (name === '' || name === lastName) && { name: nameOfFile(chosen.name) }),
    }))
  }
  const [lastName, setLastName] = useState(document ? nameOfFile(document.name) : '')

  function remedy(kind: Remedy): void {
    if (kind === 'document') return chooseDocument(null)
    if (kind === 'route' && route) return editing.open({ route })
    globalThis.document.querySelector<HTMLElement>('[data-field="routeId"]')?.focus()
  }

  return (
    <>
      <FormFields form={form} label={t('title')}>
        <WithAside
          aside={
            <SendCheckAside asked={asked} mayEditRoute={route?.allowed.edit ?? false} onRemedy={remedy} />
          }
        >
          <DocumentCard offersPackage onChosen={chooseDocument} />
          <Card title={t('about.title')}>
            <Fields>
              <NameFields />
              <SigningDateField />
              <ExpiryField />
              <KindField />
              <TagsField />
            </Fields>
          </Card>
          <RouteCard onChosen={chooseRoute} onEdit={editing.open} />
          {asked.trial?.conditions && <RouteFactsCard conditions={asked.trial.conditions} />}
          <SealPlacesCard route={route} />
          <OptionsCard />
        </WithAside>
        <div className={classes.sending}>
          <SubmitButton isOff={isRefused}>{t('send')}</SubmitButton>
          {isRefused && (
            <span className={classes.bad} role="status">
              {t('trial.fixFirst')}
            </span>
          )}
        </div>
      </FormFields>
      <RouteDialogs editing={editing} outdated={outdated} routeId={routeId} onChosen={chooseRoute} />
    </>
  )
}
