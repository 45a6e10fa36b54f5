import { visibilityOf, visibilityScopes } from '@kelisim/domain/visibility.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useFormContext } from '../ui/form/form.tsx'
import { VisibilityField } from '../ui/form/visibility-field.tsx'

const scopes = Object.values(visibilityScopes.members)

/** The visibility of a template or of a document made from one; their help texts differ. */
export function ScopeField({ of, help }: { of: 'templates' | 'write'; help?: string | undefined }) {
  const { t } = useTexts('rich-text')
  const form = useFormContext()
  return (
    <VisibilityField
      label={t('columns.visibility')}
      help={help}
      options={scopes.map((scope) => ({
        scope,
        label: t(`visibility.${visibilityOf(scope)}`),
        help: t(`${of}.${visibilityOf(scope)}Help`),
      }))}
      value={form.values['visibilityScope'] as (typeof scopes)[number]}
      onChange={(scope) => form.set('visibilityScope', scope)}
    />
  )
}
