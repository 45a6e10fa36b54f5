/** A new campaign: the document, the audience, how people acknowledge it, and until when. */
import { useState } from 'react'
import { Alert, MultiSelect, Radio } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { addCampaign, campaignKeys, getCampaigns } from '@kelisim/domain/campaigns/contract.ts'
import { longestRequestDescription, longestRequestName } from '@kelisim/domain/requests/contract.ts'
import { getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { documentQuery } from '../documents/queries.ts'
import type { DocumentView } from '../documents/shared/document-acts.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { PeopleField } from '../portal/groups/people-field.tsx'
import { DocumentCard, nameOfFile } from '../requests/sending/send-document.tsx'
import { useRefreshLists } from '../requests/shared/refresh-lists.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { idOf, useAddress } from '../ui/browser/address.ts'
import { RadioCard, RadioCards } from '../ui/form/choices.tsx'
import { clearDirty } from '../ui/form/dirty.ts'
import { Fields } from '../ui/form/fields.tsx'
import { FormFields, SubmitButton, TextField, useApiForm, useProblemText } from '../ui/form/form.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import classes from './campaigns.module.css'
import { audienceGroupsQuery } from './queries.ts'

export function AddCampaign() {
  const { t } = useTexts('campaigns')
  const { organization } = useWorkplace()
  const documentId = idOf(useAddress().params.id)
  const { data: document, isLoading } = useQuery({
    ...documentQuery(organization.Id, documentId ?? ''),
    enabled: documentId !== undefined,
  })
  return (
    <Page title={t('new')} isNarrow>
      {isLoading ? <LoadingLines /> : <CampaignForm key={document?.id ?? ''} document={document} />}
    </Page>
  )
}

function CampaignForm({ document }: { document: DocumentView | undefined }) {
  const { t } = useTexts('campaigns')
  const { organization } = useWorkplace()
  const organizationId = organization.Id
  const client = useQueryClient()
  const navigate = useNavigate()
  const refresh = useRefreshLists()
  const [lastName, setLastName] = useState(document ? nameOfFile(document.name) : '')
  const form = useApiForm({
    id: `campaign:${organizationId}:${document?.id ?? 'new'}`,
    endpoint: addCampaign,
    fixed: { organizationId },
    initial: {
      documentId: document?.id ?? '',
      name: document ? nameOfFile(document.name) : '',
      description: '',
      isEverybody: true,
      groupIds: [] as string[],
      userIds: [] as string[],
      termDays: '',
      isSigned: false,
      key: 'employee',
    },
    inputOf: ({ termDays, isEverybody, groupIds, userIds, isSigned, key, ...values }) => ({
      ...values,
      isEverybody,
      groupIds: isEverybody ? [] : groupIds,
      userIds: isEverybody ? [] : userIds,
      termDays: termDays === '' ? null : Number(termDays),
      signedWith: isSigned ? keyHolderOf(key) : null,
    }),
    fieldOf: { 'campaign-without-people': 'userIds', 'campaign-too-large': 'userIds' },
    onDone: async ({ signingRequestId }) => {
      refresh()
      void client.invalidateQueries({ queryKey: [getCampaigns.path] })
      void client.invalidateQueries({ queryKey: [getSubscriptions.path] })
      toast(t('form.sent'))
      clearDirty() // sent: there is nothing to lose
      await navigate({ to: '/campaigns/$id', params: { id: signingRequestId }, replace: true })
    },
  })

  function chooseDocument(next: DocumentView | null): void {
    if (next) {
      client.setQueryData(documentQuery(organizationId, next.id).queryKey, next)
      setLastName(nameOfFile(next.name))
    }
    form.change(({ name }) => ({
      documentId: next?.id ?? '',
      // A typed name stays; the name of another file is replaced.
      ...(next && (name === '' || name === lastName) && { name: nameOfFile(next.name) }),
    }))
  }
  const problem = useProblemText()(form.problems['userIds'])
  const { isEverybody } = form.values
  return (
    <FormFields form={form} label={t('new')}>
      <DocumentCard onChosen={chooseDocument} />
      <Card title={t('form.who')}>
        <Fields>
          <Radio.Group
            aria-label={t('form.who')}
            value={isEverybody ? 'everybody' : 'chosen'}
            onChange={(value) => form.set('isEverybody', value === 'everybody')}
          >
            <RadioCards>
              <RadioCard value="everybody" isSelected={isEverybody} label={t('form.everybody')} />
              <RadioCard value="chosen" isSelected={!isEverybody} label={t('form.chosen')} />
            </RadioCards>
          </Radio.Group>
          {!isEverybody && (
            <ChosenAudience
              groupIds={form.values.groupIds}
              userIds={form.values.userIds}
              problem={problem}
              onGroups={(groupIds) => form.set('groupIds', groupIds)}
              onPeople={(userIds) => form.set('userIds', userIds)}
            />
          )}
        </Fields>
      </Card>
      <Card title={t('form.how')}>
        <HowToAnswer
          isSigned={form.values.isSigned}
          keyHolder={keyHolderOf(form.values.key)}
          onSigned={(isSigned) => form.set('isSigned', isSigned)}
          onKey={(key) => form.set('key', key)}
        />
      </Card>
      <Card>
        <Fields>
          <TextField name="name" label={t('form.name')} max={longestRequestName} isRequired />
          <TextField
            name="description"
            label={t('form.description')}
            max={longestRequestDescription}
            lines={2}
          />
          <div className={classes.short}>
            <TextField
              name="termDays"
              label={t('form.term')}
              help={t('form.termHelp')}
              inputMode="numeric"
              max={3}
              shape={(typed) => typed.replace(/\D/g, '').replace(/^0+/, '').slice(0, 3)}
            />
          </div>
        </Fields>
      </Card>
      <Alert className={classes.note}>{t('form.frozen')}</Alert>
      <SubmitButton>{t('form.send')}</SubmitButton>
    </FormFields>
  )
}

type CampaignKeyHolder = (typeof campaignKeys)[number]

function keyHolderOf(value: string): CampaignKeyHolder {
  return campaignKeys.find((one) => one === value) ?? 'employee'
}

function HowToAnswer(props: {
  isSigned: boolean
  keyHolder: CampaignKeyHolder
  onSigned: (isSigned: boolean) => void
  onKey: (keyHolder: string) => void
}) {
  const { t } = useTexts('campaigns')
  const { isSigned, keyHolder } = props
  const keyNames = { employee: t('form.keyEmployee'), person: t('form.keyPerson') }
  return (
    <Fields>
      <Radio.Group
        aria-label={t('form.how')}
        value={isSigned ? 'sign' : 'confirm'}
        onChange={(value) => props.onSigned(value === 'sign')}
      >
        <RadioCards>
          <RadioCard
            value="confirm"
            isSelected={!isSigned}
            label={t('form.confirm')}
            help={t('form.confirmHelp')}
          />
          <RadioCard value="sign" isSelected={isSigned} label={t('form.sign')} help={t('form.signHelp')} />
        </RadioCards>
      </Radio.Group>
      {isSigned && (
        <Radio.Group label={t('form.key')} value={keyHolder} onChange={props.onKey}>
          <RadioCards>
            {campaignKeys.map((one) => (
              <RadioCard key={one} value={one} isSelected={keyHolder === one} label={keyNames[one]} />
            ))}
          </RadioCards>
        </Radio.Group>
      )}
    </Fields>
  )
}

function ChosenAudience(props: {
  groupIds: string[]
  userIds: string[]
  problem: string | undefined
  onGroups: (groupIds: string[]) => void
  onPeople: (userIds: string[]) => void
}) {
  const { t } = useTexts('campaigns')
  const { organization } = useWorkplace()
  const { data } = useQuery(audienceGroupsQuery(organization.Id))
  return (
    <>
      <MultiSelect
        size="md"
        label={t('form.groups')}
        searchable
        hidePickedOptions
        nothingFoundMessage={t('form.groupsNone')}
        data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={props.groupIds}
        onChange={props.onGroups}
      />
      <PeopleField
        organizationId={organization.Id}
        name="userIds"
        label={t('form.people')}
        help={t('form.peopleHelp')}
        none={t('form.nobodyFound')}
        problem={props.problem}
        known={[]}
        chosen={props.userIds}
        onChange={props.onPeople}
      />
    </>
  )
}
