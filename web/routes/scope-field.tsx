import { Radio } from '@mantine/core'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { useTexts } from '../i18n/use-texts.ts'
import choice from '../ui/form/choice.module.css'
import { useFormContext } from '../ui/form/form.tsx'
import type { WireScope } from './editor/route-view.ts'
import classes from './editor/routes.module.css'

const { Private, Public } = visibilityScopes.members

/** For everybody here, or for the author alone. */
export function ScopeField({ onChange }: { onChange: (visibilityScope: WireScope) => void }) {
  const { t } = useTexts('routes')
  const form = useFormContext()
  return (
    <Radio.Group
      label={t('form.scope')}
      withAsterisk
      value={String(form.values['visibilityScope'])}
      onChange={(value) => onChange(value === String(Public) ? Public : Private)}
    >
      <div className={classes.choices}>
        {([Public, Private] as const).map((scope) => (
          <Radio
            key={scope}
            classNames={{ radio: choice.mark ?? '', description: choice.help ?? '' }}
            value={String(scope)}
            label={t(scope === Public ? 'scopes.common' : 'scopes.personal')}
            description={t(scope === Public ? 'scopes.commonHelp' : 'scopes.personalHelp')}
          />
        ))}
      </div>
    </Radio.Group>
  )
}
