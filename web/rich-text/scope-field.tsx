import { Radio } from '@mantine/core'
import { visibilityOf, visibilityScopes } from '@kelisim/domain/visibility.ts'
import { useTexts } from '../i18n/use-texts.ts'
import choice from '../ui/form/choice.module.css'
import { useFormContext } from '../ui/form/form.tsx'
import classes from './rich-text.module.css'

/** Who will see it; what that means differs between a template and a document made from one. */
export function ScopeField({ of, help }: { of: 'templates' | 'write'; help?: string | undefined }) {
  const { t } = useTexts('rich-text')
  const form = useFormContext()
  return (
    <Radio.Group
      label={t('columns.visibility')}
      description={help}
      value={String(form.values['visibilityScope'])}
      onChange={(value) => form.set('visibilityScope', Number(value))}
    >
      <div className={classes.choices}>
        {Object.values(visibilityScopes.members).map((scope) => (
          <Radio
            key={scope}
            classNames={{ radio: choice.mark ?? '', description: choice.help ?? '' }}
            value={String(scope)}
            label={t(`visibility.${visibilityOf(scope)}`)}
            description={t(`${of}.${visibilityOf(scope)}Help`)}
          />
        ))}
      </div>
    </Radio.Group>
  )
}
