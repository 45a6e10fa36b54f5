/** The form of a point; its fields depend on the type of the point. */
import { useId, useState } from 'react'
import { NativeSelect, Radio, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { addPoint, getPoint, getPoints, savePoint } from '@kelisim/domain/points/contract.ts'
import { defaultKeyHolder, hasKeyChoice, keyHolders } from '@kelisim/domain/points/key-holder.ts'
import { signatureForms } from '@kelisim/domain/points/signature-form.ts'
import { fieldsOf, smallestQuorum } from '@kelisim/domain/points/point.ts'
import {
  pointTypes,
  selectableTypes,
  sideOf,
  typeOf,
  type PointSide,
  type PointType,
} from '@kelisim/domain/points/point-types.ts'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { query } from '../api/api.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { RadioColumns, RadioOption, SwitchField } from '../ui/form/choices.tsx'
import { Fields } from '../ui/form/fields.tsx'
import {
  FormFields,
  NumberField,
  SubmitButton,
  TextField,
  useApiForm,
  useFormContext,
  useProblemText,
} from '../ui/form/form.tsx'
import { Card } from '../ui/page/page.tsx'
import { toast } from '../ui/dialogs/toast.tsx'
import { EmailsField } from './emails-field.tsx'
import { GroupFields, type KnownGroup } from './group-fields.tsx'
import { ContractorFields } from './number-field.tsx'
import type { PointView } from './point-view.ts'
import { ScopeField } from './scope-field.tsx'

/** The initial values of a new point. */
export type PointStart = Partial<ReturnType<typeof valuesOf>>

/** Null: a new point. */
export function PointForm(props: {
  point: PointView | null
  /** The form is in a dialog of another page, which has its own draft and its own guard against losing changes. */
  inDialog?: { draft: string; start: PointStart; known: KnownGroup[] }
  onSaved?: (saved: PointView) => void | Promise<void>
}) {
  const { t } = useTexts('points')
  const { organization } = useWorkplace()
  const { point, inDialog } = props
  const organizationId = organization.Id
  const client = useQueryClient()
  // Changes are based on the version that the form started with, even if a newer one was loaded since.
  const [version, setVersion] = useState(point?.currentVersion)
  const form = useApiForm({
    id: inDialog?.draft ?? `point:${organizationId}:${point?.id ?? 'new'}`,
    guardsPage: !inDialog,
    endpoint: point ? savePoint : addPoint,
    fixed: { organizationId, ...(point && { pointId: point.id, currentVersion: version }) },
    initial: { ...valuesOf(point), ...inDialog?.start },
    fieldOf: {
      'group-not-in-organization': 'groupId',
      'group-empty': 'groupId',
      'group-smaller-than-quorum': 'quorum',
      'responsible-not-in-group': 'responsiblePersons',
      forbidden_external_point_by_options: 'bin',
      'receiver-paused': 'bin',
      forbidden_counter_party_point_by_options: 'type',
    },
    onDone: async (saved) => {
      client.setQueryData(query(getPoint, { organizationId, pointId: saved.id }).queryKey, saved)
      void client.invalidateQueries({ queryKey: [getPoints.path] })
      toast(point ? t('common:saved') : t('created'))
      setVersion(saved.currentVersion)
      if (point) form.reset(valuesOf(saved)) // the server trims what was typed
      await props.onSaved?.(saved)
    },
  })
  const type = typeOf(form.values.type)
  const has = new Set(type ? fieldsOf(type) : [])
  return (
    <FormFields form={form} label={point ? point.name : t('add')}>
      <Card title={t('form.main')}>
        <Fields>
          <TypeField type={type} isFixed={point !== null} />
          <TextField name="name" label={t('form.name')} max={250} isRequired />
          <TextField name="description" label={t('form.description')} max={250} lines />
          {has.has('scope') && (
            <ScopeField of="points" onChange={(scope) => form.set('visibilityScope', scope)} />
          )}
        </Fields>
      </Card>
      {type && (
        <Card title={t('form.who')}>
          <Fields>
            {has.has('bin') && <ContractorFields />}
            {has.has('emails') && <EmailsField />}
            {has.has('groupId') && <GroupFields known={inDialog?.known ?? groupOf(point)} />}
            {has.has('agreementCondition') && <AgreementField />}
            {has.has('keyHolder') && type && <KeyHolderFields type={type} />}
            {has.has('signatureForm') && <SignatureFormField />}
            {has.has('isEdsPresentationRequired') && (
              <SwitchField name="isEdsPresentationRequired" label={t('form.eds')} help={t('form.edsHelp')} />
            )}
          </Fields>
        </Card>
      )}
      {point && (
        <Card>
          <SwitchField name="isActive" label={t('form.active')} help={t('form.activeHelp')} />
        </Card>
      )}
      <SubmitButton onlyWhenDirty={point !== null}>
        {point ? t('common:actions.save') : t('form.create')}
      </SubmitButton>
    </FormFields>
  )
}

function valuesOf(point: PointView | null) {
  const isExternal = point !== null && sideOf(typeOf(point.type)!) === 'external'
  return {
    type: point?.type ?? 0,
    name: point?.name ?? '',
    description: point?.description ?? '',
    visibilityScope: point?.visibilityScope ?? visibilityScopes.members.Public,
    groupId: point?.group?.id ?? '',
    responsiblePersons: point?.responsiblePersons.map(({ userId }) => userId) ?? [],
    agreementCondition: point?.agreementCondition ?? 'any',
    quorum: point?.quorum ?? null,
    isEdsPresentationRequired: point?.isEdsPresentationRequired ?? false,
    bin: isExternal ? point.bin : '',
    organizationName: isExternal ? point.organizationName : '',
    emails: point?.emails ?? [],
    keyHolder: point?.keyHolder ?? null,
    keyHolderIin: point?.keyHolderIin ?? '',
    signatureForm: point?.signatureForm ?? 'cms',
    isActive: point?.isActive ?? true,
  }
}

function groupOf(point: PointView | null): KnownGroup[] {
  return point?.group ? [{ ...point.group, participants: point.participants ?? [] }] : []
}

const sides: PointSide[] = ['internal', 'external', 'counterParty']

function TypeField({ type, isFixed }: { type: PointType | null; isFixed: boolean }) {
  const { t } = useTexts('points')
  const form = useFormContext()
  const problem = useProblemText()(form.problems['type'])
  // A quick point keeps its type, but the type is not offered for others.
  const offered = isFixed && type ? [type] : selectableTypes
  return (
    <NativeSelect
      size="md"
      name="type"
      label={t('form.type')}
      description={type ? `${t(`typeHelp.${type}`)} ${t('form.typeHelp')}` : t('form.typeHelp')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      withAsterisk
      aria-required
      error={problem}
      disabled={isFixed}
      value={String(form.values['type'])}
      onChange={(event) => form.set('type', Number(event.currentTarget.value))}
      onBlur={() => form.leave('type')}
    >
      {!type && <option value="0">{t('form.chooseType')}</option>}
      {sides.map((side) => (
        <optgroup key={side} label={t(`sides.${side}`)}>
          {offered
            .filter((one) => sideOf(one) === side)
            .map((one) => (
              <option key={one} value={pointTypes.of(one)}>
                {t(`types.${one}`)}
              </option>
            ))}
        </optgroup>
      ))}
    </NativeSelect>
  )
}

/** Whose key the point takes; the number of an individual leaves no choice. */
function KeyHolderFields({ type }: { type: PointType }) {
  const { t } = useTexts('points')
  const form = useFormContext()
  const number = sideOf(type) === 'external' ? (form.values['bin'] as string) : null
  if (!hasKeyChoice(type, number)) return null
  const chosen = keyHolders.find((one) => one === form.values['keyHolder']) ?? defaultKeyHolder(type)
  return (
    <>
      <Radio.Group
        label={t('form.keyHolder')}
        description={t('form.keyHolderHelp')}
        value={chosen}
        onChange={(value) => form.set('keyHolder', value)}
      >
        <RadioColumns>
          {keyHolders.map((one) => (
            <RadioOption
              key={one}
              value={one}
              label={t(`form.keyHolderNames.${one}`)}
              description={t(`form.keyHolders.${one}`)}
            />
          ))}
        </RadioColumns>
      </Radio.Group>
      {chosen === 'person' && <NumberField name="keyHolderIin" label={t('form.keyHolderIin')} isRequired />}
    </>
  )
}

function SignatureFormField() {
  const { t } = useTexts('points')
  const form = useFormContext()
  return (
    <Radio.Group
      label={t('form.signatureForm')}
      description={t('form.signatureFormHelp')}
      value={String(form.values['signatureForm'])}
      onChange={(value) => form.set('signatureForm', value)}
    >
      <RadioColumns>
        {signatureForms.map((one) => (
          <RadioOption
            key={one}
            value={one}
            label={t(`form.signatureFormNames.${one}`)}
            description={t(`form.signatureForms.${one}`)}
          />
        ))}
      </RadioColumns>
    </Radio.Group>
  )
}

/** Offers three choices for two fields: the third choice, a quorum, is `any` with a number. */
function AgreementField() {
  const { t } = useTexts('points')
  const form = useFormContext()
  const problemText = useProblemText()
  const id = useId()
  const { agreementCondition, quorum } = form.values
  const choice = quorum === null || agreementCondition === 'all' ? String(agreementCondition) : 'quorum'
  const choose = (value: string) => {
    form.set('agreementCondition', value === 'all' ? 'all' : 'any')
    form.set('quorum', value === 'quorum' ? smallestQuorum : null)
  }
  return (
    <>
      <Radio.Group label={t('form.agreement')} value={choice} onChange={choose}>
        <RadioColumns>
          <RadioOption value="any" label={t('form.agreementAny')} description={t('form.agreementAnyHelp')} />
          <RadioOption
            value="quorum"
            label={t('form.agreementQuorum')}
            description={t('form.agreementQuorumHelp')}
          />
          <RadioOption value="all" label={t('form.agreementAll')} description={t('form.agreementAllHelp')} />
        </RadioColumns>
      </Radio.Group>
      {choice === 'quorum' && (
        <TextInput
          id={id}
          name="quorum"
          label={t('form.quorum')}
          inputMode="numeric"
          withAsterisk
          aria-required
          value={typeof quorum === 'number' && quorum > 0 ? quorum : ''}
          error={problemText(form.problems['quorum'])}
          onChange={({ currentTarget }) =>
            form.set('quorum', Number(currentTarget.value.replaceAll(/\D/g, '').slice(0, 3)))
          }
          onBlur={() => form.leave('quorum')}
        />
      )}
    </>
  )
}
