import { later } from '../../ui/browser/later.tsx'
import { PersonButton } from './header-buttons.tsx'
import { useWorkplace, type Profile } from '../session/session.ts'

const whole = () => import('./user-menu-whole.tsx')

export const UserMenu = later(
  () => whole().then((m) => m.UserMenuWhole),
  function OwnButton(props: object) {
    const { profile } = useWorkplace()
    return <PersonButton profile={profile} {...props} />
  },
)

/** Without the entries of an organisation. */
export const PersonMenu = later<{ profile: Profile }>(
  () => whole().then((m) => m.PersonMenuWhole),
  PersonButton,
)
