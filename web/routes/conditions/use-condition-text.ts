import { conditionText } from '@kelisim/domain/routes/condition-words.ts'
import type { Condition } from '@kelisim/domain/routes/condition.ts'
import { useTexts } from '../../i18n/use-texts.ts'

/** Says a condition as the rest of a sentence that begins with "only if". */
export function useConditionText(): (condition: Condition) => string {
  const { t } = useTexts('routes')
  return (condition) => conditionText(condition, t)
}
