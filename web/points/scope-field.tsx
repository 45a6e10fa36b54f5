import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useFormContext } from '../ui/form/form.tsx'
import { VisibilityField } from '../ui/form/visibility-field.tsx'

const { Private, Public } = visibilityScopes.members

/** Who may use a point or a route: everybody in the organisation, or its author alone. */
export function ScopeField({
  of,
  onChange,
}: {
  of: 'points' | 'routes'
  onChange: Parameters<typeof VisibilityField>[0]['onChange']
}) {
  const { t } = useTexts()
  const form = useFormContext()
  return (
    <VisibilityField
      label={t(`${of}:form.scope`)}
      isRequired
      options={[
        { scope: Public, label: t(`${of}:scopes.common`), help: t(`${of}:scopes.commonHelp`) },
        { scope: Private, label: t(`${of}:scopes.personal`), help: t(`${of}:scopes.personalHelp`) },
      ]}
      value={form.values['visibilityScope'] === Public ? Public : Private}
      onChange={onChange}
    />
  )
}
