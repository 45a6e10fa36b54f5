import { useTexts } from '../../i18n/use-texts.ts'

export type Doer = { fullName: string; insteadOf?: string | undefined }

/** The name of the person who acted; of a substitute, both names. */
export function useActorName(): (doer: Doer) => string {
  const { t } = useTexts('requests')
  return ({ fullName, insteadOf }) =>
    insteadOf === undefined ? fullName : t('insteadOf', { name: fullName, absent: insteadOf })
}
