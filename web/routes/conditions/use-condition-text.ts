import { conditionText } from '@kelisim/domain/routes/condition-words.ts'
import type { Condition } from '@kelisim/domain/routes/condition.ts'
import { useTexts } from '../../i18n/use-texts.ts'

/** The text of a condition, as the rest of a sentence that begins with "only if". */
export function useConditionText(): (condition: Condition) => string {
  // The texts of points, because pages of documents load these, but not the texts of routes.
  const { t } = useTexts('points')
  return (condition) => conditionText(condition, t)
}
