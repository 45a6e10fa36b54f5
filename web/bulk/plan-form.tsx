/** The plan of a bulk sending: the template, the columns for its variables, the recipients, the way and the name. */
import { useState } from 'react'
import { Radio, Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getBulkRows, planBulkSending } from '@kelisim/domain/bulk/contract.ts'
import {
  longestName,
  suggestColumns,
  type BulkPlan,
  type TemplateVariable,
} from '@kelisim/domain/bulk/plan.ts'
import { knownKinds } from '@kelisim/domain/rich-text/variables.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { query } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { myGroupsQuery } from '../options/shared/queries.ts'
import { KindField } from '../registers/kind-field.tsx'
import { useWorkplace } from '../shell/session/session.ts'
import { RadioCard, RadioCards } from '../ui/form/choices.tsx'
import { Fields } from '../ui/form/fields.tsx'
import { FormFields, SubmitButton, TextField, useApiForm, useFormContext } from '../ui/form/form.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card } from '../ui/page/page.tsx'
import classes from './bulk.module.css'
import { bulkQuery, bulkTemplatesQuery, bulkVariablesQuery, type BulkKey, type BulkView } from './queries.ts'

type Props = { bulk: BulkView; bulkKey: BulkKey }

export function PlanForm({ bulk, bulkKey }: Props) {
  const { t } = useTexts('bulk')
  const { options } = useWorkplace()
  const client = useQueryClient()
  const groups = useQuery(myGroupsQuery(bulkKey.organizationId))
  const variablesOf = (id: string) => bulkVariablesQuery(bulkKey.organizationId, id)
  const [initial] = useState(() => startOf(bulk, options.allowed.quickSend))
  const form = useApiForm({
    id: `bulk:${bulk.id}`,
    endpoint: planBulkSending,
    fixed: { ...bulkKey },
    initial,
    inputOf: ({
      groupId,
      routeId,
      routeColumn,
      kindId,
      bin,
      emails,
      organizationName,
      variables,
      ...same
    }) => ({
      ...same,
      variables: columnsOf({
        bulk,
        templateId: same.templateId,
        chosen: variables,
        asked: client.getQueryData(variablesOf(same.templateId).queryKey)?.items ?? [],
      }),
      groupId: same.way === 'quick' ? groupId || null : null,
      routeId: same.way === 'route' ? routeId || null : null,
      routeColumn: same.way === 'route' ? routeColumn : '',
      kindId: kindId || null,
      recipient: { bin, emails, organizationName },
    }),
    fieldOf: {
      'document-template-not-found': 'templateId',
      'route-not-found': 'routeId',
      'organization-group-not-found': 'groupId',
      'user-group-not-found': 'groupId',
      'kind-not-found': 'kindId',
    },
    guardsPage: false,
    onDone: (saved) => {
      client.setQueryData(bulkQuery(bulkKey).queryKey, saved)
      void client.invalidateQueries({ queryKey: [getBulkRows.path] })
      form.reset(form.values)
    },
  })
  const { templateId, way, bin, emails, groupId, routeId, routeColumn } = form.values
  const asked = useQuery({ ...variablesOf(templateId), enabled: templateId !== '' })
  const isWayChosen =
    way === 'route'
      ? routeId !== '' || routeColumn !== ''
      : bin !== '' && emails !== '' && (groupId !== '' || groups.data?.items.length === 0)
  const isOff = !asked.data || !isWayChosen
  return (
    <FormFields form={form} label={t('plan.title')}>
      <Card title={t('plan.title')}>
        <Fields>
          <TemplateField columns={bulk.columns} />
          <WayField mayQuickSend={options.allowed.quickSend} />
          {way === 'quick' ? (
            <RecipientFields columns={bulk.columns} />
          ) : (
            <RouteFields columns={bulk.columns} />
          )}
          <TextField
            name="name"
            label={t('plan.name')}
            help={t('plan.nameHelp')}
            max={longestName}
            isRequired
          />
          <KindField />
          {templateId !== '' && <VariableFields bulk={bulk} asked={asked.data?.items} />}
        </Fields>
        <div className={classes.acts}>
          <SubmitButton isOff={isOff} isQuiet={bulk.plan !== null && !form.isDirty}>
            {t(bulk.plan === null ? 'plan.show' : 'plan.changed')}
          </SubmitButton>
        </div>
      </Card>
    </FormFields>
  )
}

function startOf({ plan, columns }: BulkView, mayQuickSend: boolean) {
  const suggested = suggestColumns(columns, [])
  const { recipient } = plan ?? suggested
  const way: BulkPlan['way'] = plan?.way ?? (mayQuickSend ? 'quick' : 'route')
  return {
    templateId: plan?.templateId ?? '',
    way,
    groupId: plan?.groupId ?? '',
    routeId: plan?.routeId ?? '',
    routeColumn: plan ? plan.routeColumn : suggested.routeColumn,
    kindId: plan?.kindId ?? '',
    name: plan?.name ?? '',
    bin: recipient.bin,
    emails: recipient.emails,
    organizationName: recipient.organizationName,
    /** Only the columns chosen in this form; `columnsOf` adds the saved or suggested ones. */
    variables: {} as Record<string, string>,
  }
}

/** Choosing a template suggests a name. */
function TemplateField({ columns }: { columns: readonly string[] }) {
  const { t } = useTexts('bulk')
  const { organization } = useWorkplace()
  const form = useFormContext()
  const { data } = useQuery(bulkTemplatesQuery(organization.Id))
  const value = form.values['templateId'] as string
  function choose(templateId: string | null): void {
    if (templateId === null) return
    const title = data?.items.find(({ id }) => id === templateId)?.name ?? ''
    const number = columns.find((column) => /номер|№|нөмір|number/i.test(column)) ?? columns[0] ?? ''
    form.change({
      templateId,
      variables: {},
      ...(form.values['name'] === '' && { name: `${title} {${number}}`.slice(0, longestName) }),
    })
  }
  return (
    <Select
      size="md"
      data-field="templateId"
      label={t('plan.template')}
      placeholder={t('plan.templateRequired')}
      description={data?.items.length === 0 ? t('plan.noTemplates') : t('plan.templateHelp')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      withAsterisk
      searchable
      allowDeselect={false}
      data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      onChange={choose}
    />
  )
}

function WayField({ mayQuickSend }: { mayQuickSend: boolean }) {
  const { t } = useTexts('bulk')
  const form = useFormContext()
  const value = form.values['way'] as BulkPlan['way']
  if (!mayQuickSend) return null
  return (
    <Radio.Group label={t('plan.way')} value={value} onChange={(way) => form.set('way', way)}>
      <RadioCards>
        {(['quick', 'route'] as const).map((way) => (
          <RadioCard
            key={way}
            value={way}
            isSelected={way === value}
            label={t(`plan.ways.${way}`)}
            help={t(`plan.waysHelp.${way}`)}
          />
        ))}
      </RadioCards>
    </Radio.Group>
  )
}

function RecipientFields({ columns }: { columns: readonly string[] }) {
  const { t } = useTexts('bulk')
  const { organization } = useWorkplace()
  const form = useFormContext()
  const { data } = useQuery(myGroupsQuery(organization.Id))
  const groups = data?.items ?? []
  return (
    <>
      {groups.length > 0 && (
        <Select
          size="md"
          data-field="groupId"
          label={t('plan.group')}
          placeholder={t('plan.groupRequired')}
          description={t('plan.groupHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          withAsterisk
          allowDeselect={false}
          data={groups.map(({ id, name }) => ({ value: id, label: name }))}
          value={(form.values['groupId'] as string) || null}
          onChange={(id) => form.set('groupId', id ?? '')}
        />
      )}
      <div className={classes.three}>
        <ColumnField name="bin" label={t('plan.bin')} columns={columns} isRequired />
        <ColumnField
          name="emails"
          label={t('plan.emails')}
          help={t('plan.emailsHelp')}
          columns={columns}
          isRequired
        />
        <ColumnField name="organizationName" label={t('plan.organizationName')} columns={columns} />
      </div>
    </>
  )
}

function ColumnField(props: {
  name: string
  label: string
  help?: string
  columns: readonly string[]
  isRequired?: boolean
  placeholder?: string
}) {
  const { t } = useTexts('bulk')
  const form = useFormContext()
  const value = form.values[props.name] as string
  return (
    <Select
      size="md"
      label={props.label}
      description={props.help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={props.placeholder ?? t('plan.column')}
      withAsterisk={props.isRequired ?? false}
      searchable
      clearable={!props.isRequired}
      data={[...props.columns]}
      value={value || null}
      onChange={(column) => form.set(props.name, column ?? '')}
    />
  )
}

const mostRoutes = 100

function RouteFields({ columns }: { columns: readonly string[] }) {
  const { t } = useTexts('bulk')
  const form = useFormContext()
  const isNamed = form.values['routeColumn'] !== ''
  return (
    <div className={classes.three}>
      <ColumnField
        name="routeColumn"
        label={t('plan.routeColumn')}
        help={t('plan.routeColumnHelp')}
        columns={columns}
        placeholder={t('plan.oneRoute')}
      />
      <RouteField isNamed={isNamed} />
    </div>
  )
}

/** The route for all rows; if a column names routes, only for the rows without one. */
function RouteField({ isNamed }: { isNamed: boolean }) {
  const { t } = useTexts('bulk')
  const { organization } = useWorkplace()
  const form = useFormContext()
  const { data } = useQuery(
    query(routeCalls.list, {
      organizationId: organization.Id,
      skip: 0,
      take: mostRoutes,
      isActive: 'true',
      sort: 'name',
    }),
  )
  return (
    <Select
      size="md"
      data-field="routeId"
      label={t(isNamed ? 'plan.otherRoute' : 'plan.route')}
      placeholder={t('plan.routeRequired')}
      withAsterisk={!isNamed}
      searchable
      clearable={isNamed}
      allowDeselect={isNamed}
      data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={(form.values['routeId'] as string) || null}
      onChange={(id) => form.set('routeId', id ?? '')}
    />
  )
}

/** The chosen columns, and for other variables the saved or suggested ones; the choice '' means no column. */
function columnsOf(given: {
  bulk: BulkView
  templateId: string
  chosen: Record<string, string>
  asked: readonly TemplateVariable[]
}): Record<string, string> {
  const { plan, columns } = given.bulk
  const usual =
    plan?.templateId === given.templateId ? plan.variables : suggestColumns(columns, given.asked).variables
  const all = Object.entries({ ...usual, ...given.chosen })
  return Object.fromEntries(all.filter(([, column]) => column !== ''))
}

function VariableFields(props: { bulk: BulkView; asked: readonly TemplateVariable[] | undefined }) {
  const { t } = useTexts('bulk')
  const form = useFormContext()
  const { bulk, asked } = props
  if (!asked) return <LoadingLines />
  const filled = asked.filter(({ type }) => !knownKinds.some((kind) => kind === type))
  if (filled.length === 0) return null
  const chosen = form.values['variables'] as Record<string, string>
  const templateId = form.values['templateId'] as string
  const columns = columnsOf({ bulk, templateId, chosen, asked })
  return (
    <fieldset className={classes.variables}>
      <legend>{t('plan.variables')}</legend>
      <div className={classes.three}>
        {filled.map(({ name, usual }) => (
          <Select
            key={name}
            size="md"
            label={name}
            placeholder={usual === '' ? t('plan.column') : t('plan.usual', { value: usual })}
            searchable
            clearable
            data={[...bulk.columns]}
            value={columns[name] ?? null}
            onChange={(next) => form.set('variables', { ...chosen, [name]: next ?? '' })}
          />
        ))}
      </div>
    </fieldset>
  )
}
