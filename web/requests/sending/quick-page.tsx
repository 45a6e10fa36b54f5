/** Quick send: the sender's group signs, then the owner of a number; no route is created. */
import { useState } from 'react'
import { Button, Select } from '@mantine/core'
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
import { myGroupsAddress } from '../../shell/session/portal-address.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { useAddress } from '../../ui/browser/address.ts'
import { Fields } from '../../ui/form/fields.tsx'
import { FormFields, SubmitButton, useApiForm, useFormContext } from '../../ui/form/form.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { Card, Page } from '../../ui/page/page.tsx'
import { EmptyPicture } from '../../ui/look/pictures.tsx'
import { State } from '../../ui/page/states.tsx'
import { DocumentCard, nameOfFile } from './send-document.tsx'
import { NameFields, sentDate } from './send-fields.tsx'
import { newSending, OfDocument } from './send-page.tsx'
import classes from './send.module.css'
import { useSent } from './use-sent.ts'

type Groups = { id: string; name: string; participants: { fullName: string }[] }[]

export function QuickSendPage() {
  const { t } = useTexts('requests-sending')
  const { organization, options } = useWorkplace()
  const { id } = useAddress().params
  if (!options.allowed.quickSend) {
    return (
      <Page title={t('quickTitle')}>
        <Card>
          <State picture={<EmptyPicture />} title={t('quick.offTitle')} text={t('quick.offText')}>
            <FullSend id={id} text={t('quick.toFull')} />
          </State>
        </Card>
      </Page>
    )
  }
  return (
    <Page title={t('quickTitle')} lead={t('quick.lead')} isNarrow>
      <OfDocument key={`${organization.Id}:${id ?? ''}`} id={id?.toLowerCase()}>
        {(document) => <OfGroups document={document} />}
      </OfDocument>
    </Page>
  )
}

function FullSend({ id, text }: { id: string | undefined; text: string }) {
  return (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link to="/signingRequests/add/{-$id}" {...(id !== undefined && { params: { id } })} {...props} />
      )}
    >
      {text}
    </Button>
  )
}

/** The groups that the person may sign for, the one chosen for quick send first. */
function OfGroups({ document }: { document: DocumentView | null }) {
  const { t } = useTexts('requests-sending')
  const { organization } = useWorkplace()
  const mine = useQuery(myGroupsQuery(organization.Id))
  const own = useQuery(userOptionsQuery(organization.Id))
  const error = mine.error ?? own.error
  if (error)
    return <LoadFailed error={error} onRetry={() => void Promise.all([mine.refetch(), own.refetch()])} />
  if (!mine.data || !own.data) return <LoadingLines />
  if (mine.data.items.length === 0) {
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
  return <QuickForm document={document} groups={groups} chosen={chosen} />
}

function QuickForm(props: { document: DocumentView | null; groups: Groups; chosen: string | null }) {
  const { t } = useTexts('requests-sending')
  const { organization } = useWorkplace()
  const { document, groups, chosen } = props
  const organizationId = organization.Id
  const client = useQueryClient()
  const sent = useSent()
  const isChosenMine = groups.some(({ id }) => id === chosen)
  const [start] = useState(() => ({
    ...newSending(document),
    groupId: isChosenMine ? chosen! : groups.length === 1 ? groups[0]!.id : '',
    bin: '',
    organizationName: '',
    emails: [] as string[],
  }))
  const [lastName, setLastName] = useState(start.name)
  const form = useApiForm({
    id: `quick:${organizationId}:${document?.id ?? 'new'}`,
    endpoint: createQuickRequest,
    fixed: { organizationId },
    initial: start,
    inputOf: ({ signingDate, ...values }) => ({ ...values, signingDate: sentDate(signingDate) }),
    fieldOf: {
      'recipient-is-own': 'bin',
      forbidden_external_point_by_options: 'bin',
      'receiver-paused': 'bin',
      'group-empty': 'groupId',
      'group-not-found': 'groupId',
      'user-group-not-found': 'groupId',
    },
    onDone: sent,
  })

  function chooseDocument(next: DocumentView | null): void {
    if (next) {
      client.setQueryData(query(getDocument, { organizationId, documentId: next.id }).queryKey, next)
      setLastName(nameOfFile(next.name))
    }
    const { name } = form.values
    form.change({
      documentId: next?.id ?? '',
      // A typed name stays; the name of another file is replaced.
      ...(next && (name === '' || name === lastName) && { name: nameOfFile(next.name) }),
    })
  }
  return (
    <FormFields form={form} label={t('quickTitle')}>
      <DocumentCard onChosen={chooseDocument} />
      <Card title={t('about.title')}>
        <Fields>
          <NameFields />
        </Fields>
      </Card>
      <Card title={t('quick.who')}>
        <Fields>
          <GroupField groups={groups} chosen={chosen} />
        </Fields>
      </Card>
      <Card title={t('quick.recipient')}>
        <Fields>
          <ContractorFields />
          <RecipientEmails />
        </Fields>
      </Card>
      <div className={classes.sending}>
        <SubmitButton isOff={form.values.bin === organization.Bin}>{t('send')}</SubmitButton>
        <FullSend id={document?.id} text={t('quick.full')} />
      </div>
    </FormFields>
  )
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

/** E-mails known from points with this number; others can be typed. */
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
