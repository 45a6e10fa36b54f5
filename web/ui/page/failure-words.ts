import type { ApiError } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'

/** The title and text of an error, for every component that shows errors; null if the error has none of its own. */
export function useFailureWords({ className, alias, parameters, message }: ApiError): {
  title: string | null
  text: string | null
} {
  const { t, find } = useTexts()
  if (className === 'OldVersionException') {
    return { title: t('shell:error.oldVersion'), text: t('shell:error.oldVersionText') }
  }
  const ofClass = className === 'PermissionDeniedException' ? t('shell:error.rights') : null
  return {
    title: find(`errors:${alias}.title`) ?? ofClass,
    text: find(`errors:${alias}.text`, { ...parameters }) ?? (message || null),
  }
}
