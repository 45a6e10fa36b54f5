/** The pages of options: which page an address opens, and who may open it (docs/product/portal-and-options.md). */
import type { ComponentType } from 'react'
import { useTexts } from '../i18n/use-texts.ts'
import { useWorkplace } from '../shell/session/session.ts'
import { WindowTitle } from '../ui/page/page.tsx'
import { LostPicture } from '../ui/look/pictures.tsx'
import { PageNotFound, State } from '../ui/page/states.tsx'
import { CounterPartyOptions } from './counter-party-options.tsx'
import { NotificationSettings } from './notification-settings.tsx'
import {
  DocumentFormat,
  DocumentPrinting,
  QuickSend,
  RolePermissions,
  SigningReport,
} from './organization-options.tsx'
import { QuickSendGroup } from './quick-send-group.tsx'
import { Substitution } from '../substitutions/substitution.tsx'
import { useAddress } from '../ui/browser/address.ts'

/** Compared in lower case. */
const personal: Partial<Record<string, ComponentType>> = {
  notificationsettings: NotificationSettings,
  groups: QuickSendGroup,
  substitution: Substitution,
}
const ofOrganization: Partial<Record<string, ComponentType>> = {
  quicksend: QuickSend,
  pointsandroutesrolespermissions: RolePermissions,
  documentprintingoptions: DocumentPrinting,
  documentextensionpermissions: DocumentFormat,
  counterpartypointoptions: CounterPartyOptions,
  documentgenerationreportoptions: SigningReport,
}

export function OptionsPage() {
  const { organization, options } = useWorkplace()
  const { name = '' } = useAddress().params
  const wanted = name.toLowerCase()
  const Owned = ofOrganization[wanted]
  const Found = personal[wanted] ?? Owned
  if (!Found) return <PageNotFound />
  if (Owned && !options.allowed.manageOrganization) return <NotEnoughRights />
  // The key resets the form for another organisation or option.
  return <Found key={`${organization.Id}:${wanted}`} />
}

function NotEnoughRights() {
  const { t } = useTexts('options')
  return (
    <>
      <WindowTitle title={t('noRights.title')} />
      <State isPage picture={<LostPicture />} title={t('noRights.title')} text={t('noRights.text')} />
    </>
  )
}
