import { later } from '../../ui/browser/later.tsx'
import { LanguageButton } from './header-buttons.tsx'
import type { LanguageChoice } from './language-menu-whole.tsx'

export const LanguageMenu = later<LanguageChoice>(
  () => import('./language-menu-whole.tsx').then((m) => m.LanguageMenuWhole),
  LanguageButton,
)
