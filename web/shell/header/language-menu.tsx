import { lazyMenu } from '../../ui/browser/lazy-menu.tsx'
import { LanguageButton } from './header-buttons.tsx'
import type { LanguageChoice } from './language-menu-popup.tsx'

export const LanguageMenu = lazyMenu<LanguageChoice>(
  () => import('./language-menu-popup.tsx').then((m) => m.LanguageMenuPopup),
  LanguageButton,
)
