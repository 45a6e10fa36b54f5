import { conditionText } from '@kelisim/domain/routes/condition-words.ts'
import type { Condition } from '@kelisim/domain/routes/condition.ts'
import { useTexts } from '../../i18n/use-texts.ts'

/** Says a condition as the rest of a sentence that begins with "only if". */
export function useConditionText(): (condition: Condition) => string {
  // Pages of documents have these texts too, but not those of routes.
  const { t } = useTexts('points')
  return (condition) => conditionText(condition, t)
}
