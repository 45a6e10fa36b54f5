/** Quick send: the sender's side signs, then the owner of a number signs or is only informed; no route is created. */
import { useState } from 'react'
import { Button, Radio, Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getDocument } from '@kelisim/domain/documents/contract.ts'
import { isTwelveDigits } from '@kelisim/domain/numbers.ts'
import { getPoints } from '@kelisim/domain/points/contract.ts'
import { createQuickRequest } from '@kelisim/domain/requests/contract.ts'
import { query } from '../../api/api.ts'
import type { DocumentView } from '../../documents/shared/document-acts.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { EmailsField } from '../../points/emails-field.tsx'
import { ContractorFields } from '../../points/number-field.tsx'
import { myGroupsQuery, userOptionsQuery } from '../../options/shared/queries.ts'
import { KindField } from '../../registers/kind-field.tsx'
import { myGroupsAddress } from '../../shell/session/portal-address.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { useAddress } from '../../ui/browser/address.ts'
import { RadioCard, RadioCards } from '../../ui/form/choices.tsx'
import { Fields } from '../../ui/form/fields.tsx'
import { FormFields, SubmitButton, useApiForm, useFormContext } from '../../ui/form/form.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { EmptyPicture } from '../../ui/look/pictures.tsx'
import { State } from '../../ui/page/states.tsx'
import { DocumentCard, nameOfFile } from './send-document.tsx'
import { membersCountQuery } from './queries.ts'
import { ExpiryField, NameFields, sentDate } from './send-fields.tsx'
import { draftOf, newSending, withoutPastCodeDate, WithStart, type SendingStart } from './sending-start.tsx'
import classes from './send.module.css'
import { useSent } from './use-sent.ts'

type Groups = { id: string; name: string; participants: { fullName: string }[] }[]

export function QuickSendPage() {
  const { t } = useTexts('requests-sending')
  const { options } = useWorkplace()
  const { params, search } = useAddress()
  const title = t(search.follows === undefined ? 'quickTitle' : 'againTitle')
  if (!options.allowed.quickSend) {
    return (
      <Page title={title}>
        <Card>
          <State picture={<EmptyPicture />} title={t('quick.offTitle')} text={t('quick.offText')}>
            <FullSend id={params.id} follows={search.follows} text={t('quick.toFull')} />
          </State>
        </Card>
      </Page>
    )
  }
  return (
    <Page title={title} lead={t('quick.lead')} isNarrow>
      <WithStart>{(start) => <OfGroups start={start} />}</WithStart>
    </Page>
  )
}

function FullSend(props: { id: string | undefined; follows: string | undefined; text: string }) {
  const { id, follows, text } = props
  return (
    <Button
      variant="default"
      renderRoot={(root) => (
        <Link
          to="/signingRequests/add/{-$id}"
          {...(id !== undefined && { params: { id } })}
          {...(follows !== undefined && { search: { follows } })}
          {...root}
        />
      )}
    >
      {text}
    </Button>
  )
}

/** Loads the groups that the person may sign for, and which of them was chosen for quick send. */
function OfGroups({ start }: { start: SendingStart }) {
  const { t } = useTexts('requests-sending')
  const { organization } = useWorkplace()
  const mine = useQuery(myGroupsQuery(organization.Id))
  const own = useQuery(userOptionsQuery(organization.Id))
  const members = useQuery(membersCountQuery(organization.Id))
  const all = [mine, own, members]
  const error = all.find((one) => one.error)?.error
  if (error)
    return (
      <LoadFailed error={error} onRetry={() => void Promise.all(all.map(async (one) => one.refetch()))} />
    )
  if (!mine.data || !own.data || !members.data) return <LoadingLines />
  const isAlone = members.data.totalCount === 1
  if (mine.data.items.length === 0 && !isAlone) {
    return (
      <Card>
        <State picture={<EmptyPicture />} title={t('quickTitle')} text={t('quick.noGroups')}>
          <Button component="a" href={myGroupsAddress()}>
            {t('quick.toPortal')}
          </Button>
        </State>
      </Card>
    )
  }
  const chosen = own.data.quickSendGroupId
  const groups = mine.data.items.toSorted((a, b) => Number(b.id === chosen) - Number(a.id === chosen))
  return <QuickForm start={start} groups={isAlone ? null : groups} chosen={chosen} />
}

function QuickForm(props: {
  start: SendingStart
  /** Null: the person is alone in the organisation and signs without a group. */
  groups: Groups | null
  chosen: string | null
}) {
  const { t } = useTexts('requests-sending')
  const { organization, profile } = useWorkplace()
  const { start, groups, chosen } = props
  const { document, again } = start
  const organizationId = organization.Id
  const client = useQueryClient()
  const sent = useSent()
  const [initial] = useState(() => ({
    ...withoutPastCodeDate(newSending(start)),
    groupId: firstGroup(groups ?? [], [again?.quick?.groupId, chosen]),
    isForInformation: again?.quick?.isForInformation ?? false,
    bin: again?.quick?.bin ?? '',
    organizationName: again?.quick?.organizationName ?? '',
    emails: again?.quick?.emails ?? [],
  }))
  const [lastName, setLastName] = useState(document ? nameOfFile(document.name) : '')
  const [isBesides, setBesides] = useState(false)
  const form = useApiForm({
    id: `quick:${organizationId}:${draftOf(start)}`,
    endpoint: createQuickRequest,
    fixed: { organizationId, ...(again && !isBesides && { followsId: again.id }) },
    initial,
    inputOf: ({ signingDate, isCodeWrong: _, groupId, kindId, expiresOn, ...values }) => ({
      ...values,
      ...(expiresOn && { expiresOn: sentDate(expiresOn) }),
      ...(kindId && { kindId }),
      ...(groups && { groupId }),
      signingDate: sentDate(signingDate),
    }),
    fieldOf: {
      'recipient-is-own': 'bin',
      forbidden_external_point_by_options: 'bin',
      'receiver-paused': 'bin',
      'group-empty': 'groupId',
      'organization-group-not-found': 'groupId',
      'user-group-not-found': 'groupId',
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
      return false
    },
  })

  function chooseDocument(next: DocumentView | null): void {
    if (next) {
      client.setQueryData(query(getDocument, { organizationId, documentId: next.id }).queryKey, next)
      setLastName(nameOfFile(next.name))
    }
    form.change(({ name }) => ({
      documentId: next?.id ?? '',
      // A typed name stays; the name of another file is replaced.
      ...(next && (name === '' || name === lastName) && { name: nameOfFile(next.name) }),
    }))
  }
  return (
    <FormFields form={form} label={t('quickTitle')}>
      <DocumentCard onChosen={chooseDocument} />
      <Card title={t('about.title')}>
        <Fields>
          <NameFields />
          <KindField />
          <ExpiryField />
        </Fields>
      </Card>
      <Card title={t('quick.who')}>
        <Fields>
          {groups ? (
            <GroupField groups={groups} chosen={chosen} />
          ) : (
            <p>{t('quick.alone', { name: profile.FullName })}</p>
          )}
        </Fields>
      </Card>
      <Card title={t('quick.recipient')}>
        <Fields>
          <ContractorFields />
          <RecipientAct />
          <RecipientEmails />
        </Fields>
      </Card>
      <div className={classes.sending}>
        <SubmitButton isOff={form.values.bin === organization.Bin}>{t('send')}</SubmitButton>
        <FullSend id={document?.id} follows={again?.id} text={t('quick.full')} />
      </div>
    </FormFields>
  )
}

/** Chooses whether the recipient signs as a party or is only informed. */
function RecipientAct() {
  const { t } = useTexts('requests-sending')
  const form = useFormContext()
  const value = form.values['isForInformation'] === true ? 'informed' : 'signs'
  return (
    <Radio.Group
      label={t('quick.act')}
      value={value}
      onChange={(next) => form.set('isForInformation', next === 'informed')}
    >
      <RadioCards>
        {(['signs', 'informed'] as const).map((act) => (
          <RadioCard
            key={act}
            value={act}
            isSelected={act === value}
            label={t(`quick.${act}`)}
            help={t(`quick.${act}Help`)}
          />
        ))}
      </RadioCards>
    </Radio.Group>
  )
}

/** The first wanted group that the person is in, or else the person's only group. */
function firstGroup(groups: Groups, wanted: readonly (string | null | undefined)[]): string {
  const found = wanted.find((id) => groups.some((group) => group.id === id))
  return found ?? (groups.length === 1 ? groups[0]!.id : '')
}

function GroupField({ groups, chosen }: { groups: Groups; chosen: string | null }) {
  const { t } = useTexts('requests-sending')
  const form = useFormContext()
  const value = String(form.values['groupId'])
  const group = groups.find(({ id }) => id === value)
  const names = group?.participants.map(({ fullName }) => fullName).join(', ')
  const problem = form.problems['groupId']
  const { find } = useTexts()
  return (
    <Select
      size="md"
      data-field="groupId"
      label={t('quick.group')}
      description={names ? `${t('quick.groupHelp')}: ${names}` : t('quick.groupHelp')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      withAsterisk
      error={problem && (find(`errors:${problem.code}.text`) ?? t('quick.groupRequired'))}
      searchable
      allowDeselect={false}
      data={groups.map(({ id, name }) => ({ value: id, label: name }))}
      renderOption={({ option }) => (
        <span className={classes.option}>
          {option.label}
          {option.value === chosen && <small>{t('quick.groupOwn')}</small>}
        </span>
      )}
      value={value || null}
      onChange={(id) => form.set('groupId', id ?? '')}
      onBlur={() => form.leave('groupId')}
    />
  )
}

const mostKnown = 100

/** E-mail addresses; offers those known from points with this number. */
function RecipientEmails() {
  const { t } = useTexts('requests-sending')
  const { organization } = useWorkplace()
  const form = useFormContext()
  const bin = String(form.values['bin'])
  const { data } = useQuery({
    ...query(getPoints, { organizationId: organization.Id, skip: 0, take: mostKnown, bin }),
    enabled: isTwelveDigits(bin),
  })
  const known = [...new Set(data?.items.flatMap(({ emails }) => emails))]
  return <EmailsField offered={known} help={t('quick.emailsHelp')} />
}
