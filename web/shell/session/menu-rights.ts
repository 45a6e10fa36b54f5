import type { MenuRights } from '@kelisim/domain/shell.ts'
import { useWorkplace } from './session.ts'

/** The rights on which the entries of the menu and the pages behind them depend. */
export function useMenuRights(): MenuRights {
  const { options, role } = useWorkplace()
  return {
    isOwner: role === 'Owner',
    editPoints: options.allowed.editPoints,
    editRoutes: options.allowed.editRoutes,
    isQuickRequestAllowed: options.isQuickRequestAllowed,
  }
}
