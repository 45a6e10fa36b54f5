import { useTexts } from '../../i18n/use-texts.ts'

export type Doer = { fullName: string; insteadOf?: string | undefined }

/** Who did it; where they stood in for somebody, both names. */
export function useDoerName(): (doer: Doer) => string {
  const { t } = useTexts('requests')
  return ({ fullName, insteadOf }) =>
    insteadOf === undefined ? fullName : t('insteadOf', { name: fullName, absent: insteadOf })
}
