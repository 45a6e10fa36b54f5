/** Changes what the groups of the sign-in service mean: the claim that names them, and a line for each. */
import { Button, Group, Select, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import {
  getGroupMapping,
  mostMappings,
  saveGroupMapping,
} from '@kelisim/domain/directory/mapping-contract.ts'
import { mappedRoles } from '@kelisim/domain/directory/mapping.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import classes from '../portal/shared/portal.module.css'
import { toast } from '../ui/dialogs/toast.tsx'
import { SwitchField } from '../ui/form/choices.tsx'
import { Fields } from '../ui/form/fields.tsx'
import { DialogForm, FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField, useApiForm, useFormContext, useProblemText } from '../ui/form/form.tsx'
import { typedText } from '../ui/form/typed-text.ts'
import { PlusIcon } from '../ui/look/icons.tsx'
import own from './integration.module.css'

export type GroupMappingView = z.output<typeof getGroupMapping.result>

/** `meaning`: the id of a group, or the name of a role; empty until one is chosen. */
type Line = { providerGroup: string; meaning: string }

type Props = { mapping: GroupMappingView; onClose: () => void }

export function GroupMappingDialog({ isOpen, ...props }: Props & { isOpen: boolean }) {
  const { t } = useTexts('integration')
  const { organization } = usePortalOrganization()
  const draft = `group-mapping:${organization.Id}`
  return (
    <FormDialog isOpen={isOpen} title={t('mapping.title')} draft={draft} onClose={props.onClose}>
      <MappingForm draft={draft} {...props} />
    </FormDialog>
  )
}

function MappingForm({ draft, mapping, onClose }: Props & { draft: string }) {
  const { t } = useTexts('integration')
  const client = useQueryClient()
  const { organization } = usePortalOrganization()
  const form = useApiForm({
    id: draft,
    endpoint: saveGroupMapping,
    fixed: { organizationId: organization.Id },
    initial: { isOn: mapping.isOn, claim: mapping.claim, mappings: linesOf(mapping) },
    inputOf: ({ mappings, ...same }) => ({ ...same, mappings: mappings.map(mappingOf) }),
    fieldOf: { 'group-not-in-organization': 'mappings' },
    guardsPage: false,
    onDone: () => {
      toast(t('mapping.saved'))
      void client.invalidateQueries({ queryKey: [getGroupMapping.path] })
      onClose()
    },
  })
  return (
    <DialogForm form={form} yes={t('mapping.save')} onCancel={onClose}>
      <Fields>
        <SwitchField name="isOn" label={t('mapping.turnOn')} help={t('mapping.turnOnHelp')} />
        <TextField
          name="claim"
          label={t('mapping.claim')}
          help={t('mapping.claimHelp')}
          max={100}
          isRequired
        />
        <Lines groups={mapping.groups} />
      </Fields>
    </DialogForm>
  )
}

function Lines({ groups }: Pick<GroupMappingView, 'groups'>) {
  const { t } = useTexts('integration')
  const form = useFormContext()
  const problem = problemOfLines(form.problems)
  const problemText = useProblemText()(problem)
  const lines = form.values['mappings'] as Line[]
  const set = (place: number, change: Partial<Line>) =>
    form.set(
      'mappings',
      lines.map((line, at) => (at === place ? { ...line, ...change } : line)),
    )
  const choices = [
    {
      group: t('mapping.groups'),
      items: groups.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      group: t('mapping.roles'),
      items: mappedRoles.map((role) => ({ value: role, label: t(`common:roles.${role}`) })),
    },
  ]
  return (
    <fieldset className={classes.choice} data-field="mappings">
      <legend>{t('mapping.lines')}</legend>
      {lines.map((line, place) => (
        <Group key={place} align="flex-end" className={own.meaning}>
          <TextInput
            label={t('mapping.providerGroup')}
            value={line.providerGroup}
            maxLength={250}
            onChange={(event) => set(place, { providerGroup: typedText(event) })}
          />
          <Select
            label={t('mapping.meaning')}
            data={choices}
            value={line.meaning === '' ? null : line.meaning}
            searchable
            onChange={(meaning) => set(place, { meaning: meaning ?? '' })}
          />
          <Button
            variant="default"
            aria-label={t('mapping.removeLine', { name: line.providerGroup })}
            onClick={() =>
              form.set(
                'mappings',
                lines.filter((_, at) => at !== place),
              )
            }
          >
            {t('mapping.remove')}
          </Button>
        </Group>
      ))}
      {problemText && (
        <p role="alert" className={classes.problem}>
          {problemText}
        </p>
      )}
      <Button
        variant="default"
        leftSection={<PlusIcon />}
        disabled={lines.length >= mostMappings}
        onClick={() => form.set('mappings', [...lines, { providerGroup: '', meaning: '' }])}
      >
        {t('mapping.add')}
      </Button>
    </fieldset>
  )
}

function linesOf({ mappings }: GroupMappingView): Line[] {
  return mappings.map(({ providerGroup, groupId, role }) => ({
    providerGroup,
    meaning: groupId ?? role ?? '',
  }))
}

function mappingOf({ providerGroup, meaning }: Line) {
  const role = mappedRoles.find((name) => name === meaning) ?? null
  return { providerGroup, role, groupId: role === null && meaning !== '' ? meaning : null }
}

/** The first problem of any line; it is shown below all lines. */
function problemOfLines<P>(problems: Readonly<Record<string, P | undefined>>): P | undefined {
  const found = Object.entries(problems).find(([name]) => name === 'mappings' || name.startsWith('mappings.'))
  return found?.[1]
}
