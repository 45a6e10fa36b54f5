/** Why points were refused; shown beside the form, because the error dialog leaves these refusals to it. */
import { Alert } from '@mantine/core'
import { routeFaultNames, type FoundFault, type RouteFaultName } from '@kelisim/domain/routes/faults.ts'
import type { ApiError } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { WarningIcon } from '../../ui/look/icons.tsx'

/** Empty: the refusal has another reason. */
export function pointFaultsIn({ alias, parameters }: ApiError): RouteFaultName[] {
  const found = parameters['faults'] as FoundFault[] | undefined
  // Several points may have the same fault.
  if (found) return [...new Set(found.map(({ fault }) => fault))]
  return routeFaultNames.filter((name) => name === alias)
}

export function PointFaults({ faults }: { faults: readonly RouteFaultName[] }) {
  const faultText = useFaultText()
  return (
    <Alert color="red" variant="light" icon={<WarningIcon size={20} />}>
      {faults.map((fault) => (
        <p key={fault}>{faultText(fault)}</p>
      ))}
    </Alert>
  )
}

export function useFaultText(): (fault: RouteFaultName) => string {
  const { t, find } = useTexts()
  return (fault) =>
    find(`errors:${fault}.text`) ?? find(`common:field.${fault}`) ?? t('common:field.incorrect')
}
