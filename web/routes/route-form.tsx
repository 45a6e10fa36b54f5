/** The editor of a route or template: its fields, its steps, and the rehearsal beside them. */
import { Button } from '@mantine/core'
import { withInnerQuotes } from '@kelisim/texts/translate.ts'
import { mayEndUnsigned } from '@kelisim/domain/routes/condition.ts'
import { longestRouteDescription, longestRouteName, type RouteKind } from '@kelisim/domain/routes/contract.ts'
import { useTexts } from '../i18n/use-texts.ts'
import type { PointView } from '../points/point-view.ts'
import { ScopeField } from '../points/scope-field.tsx'
import { useWorkplace } from '../shell/session/session.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm.tsx'
import { Fields } from '../ui/form/fields.tsx'
import { FormFields, SubmitButton, TextField } from '../ui/form/form.tsx'
import { WarningIcon } from '../ui/look/icons.tsx'
import { Card } from '../ui/page/page.tsx'
import { WithAside } from '../ui/page/with-aside.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { MountOnOpen } from '../ui/dialogs/mount-on-open.tsx'
import { ConditionDialog } from './conditions/condition-dialog.tsx'
import { TermDialog } from './conditions/term-dialog.tsx'
import { editorPoint, sidesOf } from './editor/editor-point.ts'
import { MakePointDialog } from './editor/make-point-dialog.tsx'
import { OutdatedDialog } from './outdated-dialog.tsx'
import type { PointWish } from './editor/use-offers.ts'
import type { PointSetting } from './editor/point-card.tsx'
import { RehearsalCard } from './editor/rehearsal.tsx'
import { WhereRouteUsed } from './where-route-used.tsx'
import { scopeNameOf, type RouteView } from './editor/route-view.ts'
import classes from './editor/routes.module.css'
import { StepsEditor } from './editor/steps-editor.tsx'
import { withChanged, withPoint, type StepPlace } from './editor/steps.ts'
import { useRouteEditor } from './editor/use-route-editor.ts'

/** Null: a new route. */
export function RouteForm(props: {
  kind: RouteKind
  route: RouteView | null
  /** The form is in a dialog of another page, which keeps its own guard against losing changes. */
  inDialog?: boolean
  onSaved?: (saved: RouteView) => void | Promise<void>
}) {
  const { t } = useTexts('routes')
  const { kind, route } = props
  const editor = useRouteEditor(props)
  const { form, faults } = editor
  const { steps } = form.values
  const making = useDialog<{ wish: PointWish; place: StepPlace }>()
  const setting = useDialog<{ pointId: string; what: PointSetting }>()
  const set = steps.flat().find(({ pointId }) => pointId === setting.subject?.pointId)
  const { organization } = useWorkplace()
  const put = (point: PointView, place: StepPlace) =>
    form.set('steps', withPoint(steps, editorPoint(point, organization.Id), place))
  return (
    <>
      {editor.isOutdated && form.isDirty && (
        <p className={classes.banner} role="status">
          <WarningIcon size={18} />
          <span>{t('outdated.banner')}</span>
          <Button variant="subtle" size="compact-md" onClick={editor.outdated.show}>
            {t('outdated.see')}
          </Button>
        </p>
      )}
      <FormFields form={{ ...form, submit: editor.submit }} label={route?.name ?? t(`add.${kind}`)}>
        <WithAside
          aside={
            <>
              <RehearsalCard rehearsal={editor.rehearsal} />
              {route && <WhereRouteUsed kind={kind} id={route.id} />}
            </>
          }
        >
          <Card title={t(`form.main.${kind}`)}>
            <Fields>
              <TextField name="name" label={t('form.name')} max={longestRouteName} isRequired />
              <TextField
                name="description"
                label={t('form.description')}
                max={longestRouteDescription}
                lines={1}
              />
              <ScopeField of="routes" onChange={editor.chooseScope} />
            </Fields>
          </Card>
          <Card title={t('form.steps')}>
            <StepsEditor
              steps={steps}
              scope={scopeNameOf(form.values.visibilityScope)}
              faults={faults}
              problem={editor.pointsProblem}
              onChange={(next) => form.set('steps', next)}
              onMake={(wish, place) => making.open({ wish, place })}
              onSetting={(pointId, what) => setting.open({ pointId, what })}
            />
          </Card>
        </WithAside>
        <div className={classes.saving} {...(form.isDirty && { 'data-at-hand': true })}>
          <SubmitButton onlyWhenDirty={route !== null}>
            {route ? t('common:actions.save') : t(`form.create.${kind}`)}
          </SubmitButton>
          {mayEndUnsigned(steps.flat()) && (
            <span className={classes.note} role="status">
              <WarningIcon size={16} />
              {t('conditions.mayEndUnsigned')}
            </span>
          )}
          {faults.length > 0 && (
            <span className={classes.wrong} role="status">
              <WarningIcon size={16} />
              {t('form.hasFaults')}
            </span>
          )}
        </div>
      </FormFields>
      <ConfirmDialog
        isOpen={editor.personal.isOpen}
        title={t('personal.title')}
        text={t('personal.text', {
          names: editor.personal.subject?.map(({ name }) => `«${withInnerQuotes(name)}»`).join(', ') ?? '',
        })}
        yes={t('personal.yes')}
        onYes={editor.personal.remove}
        onNo={editor.personal.close}
      />
      <MountOnOpen isOpen={making.isOpen}>
        {making.subject && (
          <MakePointDialog
            isOpen={making.isOpen}
            wish={making.subject.wish}
            onMade={(point) => put(point, making.subject!.place)}
            onClose={making.close}
          />
        )}
      </MountOnOpen>
      <MountOnOpen isOpen={setting.isOpen}>
        {set && setting.subject?.what === 'condition' && (
          <ConditionDialog
            key={set.pointId}
            isOpen={setting.isOpen}
            point={set}
            sides={sidesOf(steps.flat())}
            onSave={(condition) => form.set('steps', withChanged(steps, set.pointId, { condition }))}
            onClose={setting.close}
          />
        )}
        {set && setting.subject?.what === 'term' && (
          <TermDialog
            key={set.pointId}
            isOpen={setting.isOpen}
            point={set}
            onSave={(term) => form.set('steps', withChanged(steps, set.pointId, term))}
            onClose={setting.close}
          />
        )}
      </MountOnOpen>
      {route && (
        <MountOnOpen isOpen={editor.outdated.isOpen}>
          <OutdatedDialog
            isOpen={editor.outdated.isOpen}
            kind={kind}
            routeId={route.id}
            since={editor.outdated.since}
            onTakeTheirs={() => void editor.outdated.takeTheirs()}
            onKeepMine={() => void editor.outdated.keepMine()}
            onClose={editor.outdated.close}
          />
        </MountOnOpen>
      )}
    </>
  )
}
