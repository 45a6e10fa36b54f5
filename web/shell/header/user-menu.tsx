import { lazyMenu } from '../../ui/browser/lazy-menu.tsx'
import { PersonButton } from './header-buttons.tsx'
import { useWorkplace, type Profile } from '../session/session.ts'

const popup = () => import('./user-menu-popup.tsx')

export const UserMenu = lazyMenu(
  () => popup().then((m) => m.UserMenuPopup),
  function OwnButton(props: object) {
    const { profile } = useWorkplace()
    return <PersonButton profile={profile} {...props} />
  },
)

/** The menu of the person without the entries that need an organisation. */
export const PersonMenu = lazyMenu<{ profile: Profile }>(
  () => popup().then((m) => m.PersonMenuPopup),
  PersonButton,
)
