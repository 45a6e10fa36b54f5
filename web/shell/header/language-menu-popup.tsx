import { Menu } from '@mantine/core'
import { useTexts } from '../../i18n/use-texts.ts'
import { languages } from '@kelisim/texts/languages.ts'
import { changeLanguage, currentLanguage } from '../../i18n/language.ts'
import { CheckIcon } from '../../ui/look/icons.tsx'
import type { LazyMenuProps } from '../../ui/browser/lazy-menu.tsx'
import { LanguageButton } from './header-buttons.tsx'

export type LanguageChoice = { onChoose?: (language: (typeof languages)[number]) => void }

export function LanguageMenuPopup({ onChoose, isOpenAtFirst }: LanguageChoice & LazyMenuProps) {
  const { t } = useTexts()
  const current = currentLanguage()
  return (
    <Menu position="bottom-end" defaultOpened={isOpenAtFirst ?? false}>
      <Menu.Target>
        <LanguageButton />
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            rightSection={language === current ? <CheckIcon size={16} /> : null}
            onClick={() => void changeLanguage(language).then(() => onChoose?.(language))}
          >
            {t(`languages.${language}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
