import { signOut } from '@kelisim/domain/identity/contract.ts'
import { ApiError, call } from '../../api/api.ts'
import { dropAllDrafts } from '../../ui/form/drafts.ts'
import { showError } from '../../ui/dialogs/error-store.ts'
import { noteSigningOut } from './session-end.ts'

/** Ends the session here and at the sign-in service. */
export async function leave(): Promise<void> {
  noteSigningOut(true)
  try {
    const { location } = await call(signOut, { returnApp: '/' })
    dropAllDrafts()
    window.location.assign(location)
  } catch (error) {
    noteSigningOut(false)
    if (error instanceof ApiError) showError(error)
    else throw error
  }
}
