import { Menu, UnstyledButton } from '@mantine/core'
import { useTexts } from '../i18n/use-texts.ts'
import { languages } from '@kelisim/texts/languages.ts'
import { changeLanguage, currentLanguage } from '../i18n/language.ts'
import { CheckIcon, ChevronDownIcon } from '../ui/icons.tsx'
import classes from './header.module.css'

export function LanguageMenu({ onChoose }: { onChoose?: (language: (typeof languages)[number]) => void }) {
  const { t } = useTexts()
  const current = currentLanguage()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton
          className={classes.button}
          aria-label={`${t('shell:header.language')}: ${t(`languagesShort.${current}`)}`}
        >
          {t(`languagesShort.${current}`)}
          <ChevronDownIcon size={16} />
        </UnstyledButton>
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
