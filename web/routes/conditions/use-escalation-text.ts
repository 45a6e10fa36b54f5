import type * as z from 'zod/mini'
import type { PointInRoute } from '@kelisim/domain/routes/contract.ts'
import { useTexts } from '../../i18n/use-texts.ts'

export type EditorEscalation = NonNullable<z.output<typeof PointInRoute>['escalation']>

/** "If the deadline passes, … is notified"; another text if the person or group no longer exists. */
export function useEscalationText(): (escalation: EditorEscalation) => string {
  const { t } = useTexts('routes')
  return ({ name, mayAct }) => {
    if (name === null) return t('term.gone')
    return t(mayAct ? 'term.escalatesActing' : 'term.escalates', { name })
  }
}
