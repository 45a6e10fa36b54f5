import { useTexts } from '../../i18n/use-texts.ts'

export type Doer = {
  fullName: string
  insteadOf?: string | undefined
  program?: string | undefined
}

/**
 * The name of whoever acted; of a substitute, both names; of a program, its name and that of the member it acted for.
 */
export function useActorName(): (doer: Doer) => string {
  const { t } = useTexts('requests')
  return ({ fullName, insteadOf, program }) => {
    const name = insteadOf === undefined ? fullName : t('insteadOf', { name: fullName, absent: insteadOf })
    return program === undefined ? name : t('byProgram', { name, program })
  }
}
