/** The member in whose name a program acts: found by typing, among the people of the organisation. */
import { useTexts } from '../i18n/use-texts.ts'
import { usePortalOrganization } from '../portal/shared/place.ts'
import { useFormContext } from '../ui/form/form.tsx'
import { SearchedSelect } from '../ui/form/searched-select.tsx'
import { membersNamed } from './queries.ts'

export function MemberField({ help }: { help: string }) {
  const { t } = useTexts('integration')
  const { organization, session } = usePortalOrganization()
  const { UserId: myId, FullName: myName } = session.profile
  const isMe = useFormContext().values['actsAs'] === myId
  return (
    <SearchedSelect
      name="actsAs"
      label={t('member')}
      help={help}
      nothingFound={t('nobodyFound')}
      search={(typed, take) => membersNamed(organization.Id, typed, take)}
      optionsOf={(members) => members.map(({ userId, fullName }) => [userId, fullName])}
      labelAtFirst={isMe ? myName : ''}
    />
  )
}
