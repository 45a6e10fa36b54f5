import { useTexts } from '../../i18n/use-texts.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { useFormContext, useProblemText } from '../../ui/form/form.tsx'
import { CheckboxOption } from '../../ui/form/choices.tsx'
import { Badge } from '../../ui/look/badge.tsx'
import classes from '../shared/portal.module.css'

/** The roles as checkboxes with explanations. Every member has the role of employee. */
export function RoleChoice() {
  const { t } = useTexts()
  const form = useFormContext()
  const problem = useProblemText()(form.problems['roles'])
  const mask = Number(form.values['roles'])
  return (
    <fieldset className={classes.choice}>
      <legend>{t('portal:roles.label')}</legend>
      {roles.names.map((name) => (
        <CheckboxOption
          key={name}
          name="roles"
          label={t(`roles.${name}`)}
          description={t(`portal:roles.help.${name}`)}
          checked={roles.has(mask, name)}
          disabled={name === 'Employee'}
          onChange={() => form.set('roles', mask ^ roles.of(name))}
        />
      ))}
      {problem && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  )
}

export function RoleBadges({ mask, isAppointed = false }: { mask: number; isAppointed?: boolean }) {
  const { t } = useTexts()
  return (
    <span className={classes.badges}>
      {roles.list(mask).map((name) => (
        <Badge key={name} tone={name === 'Owner' ? 'prim' : 'off'}>
          {t(`roles.${name}`)}
        </Badge>
      ))}
      {isAppointed && <Badge tone="off">{t('portal:roles.appointedBadge')}</Badge>}
    </span>
  )
}
