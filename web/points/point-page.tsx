/** The page of one point: a form, or details for people who may not change it; and the page of a new point. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { fieldsOf, type PointField } from '@kelisim/domain/points/point.ts'
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { idOf, useAddress } from '../ui/browser/address.ts'
import { formatDate } from '../ui/format/dates.ts'
import { clearDirty } from '../ui/form/dirty.ts'
import { TrashIcon } from '../ui/look/icons.tsx'
import { Facts } from '../ui/page/facts.tsx'
import { LoadFailed } from '../ui/page/load-failed.tsx'
import { LoadingLines } from '../ui/page/loading.tsx'
import { Card, Page } from '../ui/page/page.tsx'
import { PageNotFound } from '../ui/page/states.tsx'
import { useDialog } from '../ui/dialogs/use-dialog.ts'
import { DeletePointDialog } from './delete-dialog.tsx'
import { PointForm } from './point-form.tsx'
import { scopeName, type PointView } from './point-view.ts'
import classes from './points.module.css'
import { pointQuery } from './queries.ts'
import { WhereUsed } from '../uses/where-used.tsx'

export function AddPointPage() {
  const { t } = useTexts('points')
  const navigate = useNavigate()
  return (
    <Page title={t('add')} isNarrow>
      <PointForm
        point={null}
        onSaved={async ({ type }) => {
          clearDirty() // saved: there is nothing to lose
          const path = sideOf(typeOf(type)!) === 'counterParty' ? 'counterParty' : 'my'
          await navigate({ to: '/points/$path', params: { path } })
        }}
      />
    </Page>
  )
}

/** The address may hold the id alone, without the list from which the point was opened. */
export function PointPage() {
  const { t } = useTexts('points')
  const { organization } = useWorkplace()
  const { path, id } = useAddress().params
  const pointId = idOf(id ?? path)
  const {
    data: point,
    error,
    refetch,
  } = useQuery({ ...pointQuery(organization.Id, pointId ?? ''), enabled: pointId !== undefined })
  if (pointId === undefined || error?.status === 404) return <PageNotFound />
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!point) return <LoadingLines />
  return (
    <Page
      title={point.name}
      isNarrow
      {...(!point.isActive && { note: t('inactive') })}
      lead={`${point.creator?.fullName ?? ''} · ${formatDate(point.createdAt)}`}
      action={point.allowed.delete && <DeleteButton point={point} />}
    >
      {/* The key resets the form when another point is shown. */}
      {point.allowed.edit ? <PointForm key={point.id} point={point} /> : <PointFacts point={point} />}
      <div className={classes.uses}>
        <WhereUsed kind="point" id={point.id} />
      </div>
    </Page>
  )
}

function DeleteButton({ point }: { point: PointView }) {
  const { t } = useTexts('points')
  const dialog = useDialog<PointView>()
  const navigate = useNavigate()
  return (
    <>
      <Button variant="default" leftSection={<TrashIcon size={18} />} onClick={() => dialog.open(point)}>
        {t('common:actions.remove')}
      </Button>
      <DeletePointDialog
        isOpen={dialog.isOpen}
        point={dialog.subject}
        onClose={dialog.close}
        onDeleted={() => {
          clearDirty()
          void navigate({ to: '/points/$path', params: { path: 'my' } })
        }}
      />
    </>
  )
}

function PointFacts({ point }: { point: PointView }) {
  const { t } = useTexts('points')
  const type = typeOf(point.type)!
  const names = (people: { fullName: string }[] | null) => people?.map((p) => p.fullName).join(', ')
  const shown: Partial<Record<PointField, [string, string | undefined][]>> = {
    bin: [[t('common:binOrIin'), inGroups(point.bin)]],
    organizationName: [[t('form.organizationName'), point.organizationName]],
    emails: [[t('form.emails'), point.emails.join(', ')]],
    groupId: [
      [t('form.group'), point.group?.name ?? t('noGroup')],
      [t('facts.participants'), names(point.participants)],
    ],
    responsiblePersons: [[t('form.responsible'), names(point.responsiblePersons)]],
    agreementCondition: [
      [
        t('form.agreement'),
        point.quorum === null
          ? t(point.agreementCondition === 'all' ? 'form.agreementAll' : 'form.agreementAny')
          : t('facts.quorum', { quorum: point.quorum }),
      ],
    ],
    quorum: [],
    keyHolder: [
      [
        t('form.keyHolder'),
        [t(`form.keyHolderNames.${point.keyHolder}`), point.keyHolderIin && inGroups(point.keyHolderIin)]
          .filter(Boolean)
          .join(', '),
      ],
    ],
    signatureForm: [[t('form.signatureForm'), t(`form.signatureFormNames.${point.signatureForm}`)]],
    isEdsPresentationRequired: [
      [t('form.eds'), t(point.isEdsPresentationRequired ? 'facts.yes' : 'facts.no')],
    ],
  }
  const facts: [string, string | undefined][] = [
    [t('form.type'), t(`types.${type}`)],
    [t('form.description'), point.description],
    [t('form.scope'), t(`scopes.${scopeName(point)}`)],
    ...fieldsOf(type).flatMap((field) => shown[field] ?? []),
  ]
  return (
    <Card>
      <Facts rows={facts.map(([name, value]) => [name, value || t('facts.none')])} />
    </Card>
  )
}
