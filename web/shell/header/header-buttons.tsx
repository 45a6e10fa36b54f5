/** The buttons of the header; their menus are loaded later. */
import type { ComponentProps } from 'react'
import { UnstyledButton } from '@mantine/core'
import { inGroups, isPersonNumber } from '@kelisim/domain/numbers.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ChevronDownIcon } from '../../ui/look/icons.tsx'
import classes from './header.module.css'
import { type Profile, useWorkplace } from '../session/session.ts'

type ButtonProps = Omit<ComponentProps<typeof UnstyledButton<'button'>>, 'children' | 'className'>

export function LanguageButton({ onChoose: _, ...props }: ButtonProps & { onChoose?: unknown }) {
  const { t } = useTexts()
  const current = currentLanguage()
  return (
    <UnstyledButton
      {...props}
      className={classes.button}
      aria-label={`${t('shell:header.language')}: ${t(`languagesShort.${current}`)}`}
    >
      {t(`languagesShort.${current}`)}
      <ChevronDownIcon size={16} />
    </UnstyledButton>
  )
}

export function OrganizationButton(props: ButtonProps) {
  const { t } = useTexts()
  const { organization } = useWorkplace()
  const { ShortName, Bin, IsConfirmed } = organization
  const under = [numberLine(t, Bin), ...(IsConfirmed ? [] : [t('unconfirmed')])].join(' · ')
  return (
    <UnstyledButton
      {...props}
      className={classes.organization}
      // Contains all visible text, because people may say any part of it to voice control.
      aria-label={`${t('shell:header.organization')}: ${ShortName} ${under}`}
    >
      <span>
        <b>{ShortName}</b> <small>{under}</small>
      </span>
      <ChevronDownIcon size={16} />
    </UnstyledButton>
  )
}

export function NumberLine({ number }: { number: string }) {
  const { t } = useTexts()
  return <>{numberLine(t, number)}</>
}

function numberLine(t: ReturnType<typeof useTexts<'common'>>['t'], number: string): string {
  return `${isPersonNumber(number) ? t('iin') : t('bin')} ${inGroups(number)}`
}

export function PersonButton({ profile, ...props }: ButtonProps & { profile: Profile }) {
  const { t } = useTexts()
  return (
    <UnstyledButton
      {...props}
      className={classes.person}
      aria-label={`${t('shell:header.user')}: ${profile.FullName}`}
    >
      <span aria-hidden data-initials={initials(profile.FullName)} />
    </UnstyledButton>
  )
}

function initials(fullName: string): string {
  return fullName
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0]?.toLocaleUpperCase() ?? '')
    .join('')
}

export function SystemButton(props: ButtonProps) {
  const { t } = useTexts()
  return (
    <UnstyledButton
      {...props}
      className={classes.systems}
      aria-label={`${t('shell:header.systems')}: ${t('shell:systems.documents')}`}
    >
      {t('shell:systems.documents')}
      <ChevronDownIcon size={16} />
    </UnstyledButton>
  )
}
