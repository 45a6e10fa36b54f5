import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useFormContext } from '../ui/form/form.tsx'
import { VisibilityField } from '../ui/form/visibility-field.tsx'
import type { WireScope } from './editor/route-view.ts'

const { Private, Public } = visibilityScopes.members

/** Who may use a route: everybody in the organisation, or its author alone. */
export function ScopeField({ onChange }: { onChange: (visibilityScope: WireScope) => void }) {
  const { t } = useTexts('routes')
  const form = useFormContext()
  return (
    <VisibilityField
      label={t('form.scope')}
      isRequired
      options={[
        { scope: Public, label: t('scopes.common'), help: t('scopes.commonHelp') },
        { scope: Private, label: t('scopes.personal'), help: t('scopes.personalHelp') },
      ]}
      value={form.values['visibilityScope'] as WireScope}
      onChange={onChange}
    />
  )
}
