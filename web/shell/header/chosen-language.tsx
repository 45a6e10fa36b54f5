import { setLanguage } from '@kelisim/domain/identity/contract.ts'
import { call } from '../../api/api.ts'
import { LanguageMenu } from './language-menu.tsx'

/** The language menu of a person with an account; the server stores the choice for their e-mails. */
export function ChosenLanguageMenu() {
  return <LanguageMenu onChoose={(language) => void call(setLanguage, { language })} />
}
