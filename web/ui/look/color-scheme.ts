/** The theme: kept in local storage, and in a cookie, from which the server draws the skeleton of a page. */
import { localStorageColorSchemeManager, type MantineColorSchemeManager } from '@mantine/core'
import { yearInSeconds } from '@kelisim/domain/durations.ts'
import { themeCookie } from '@kelisim/domain/shell.ts'

const stored = localStorageColorSchemeManager()

export const colorSchemeManager: MantineColorSchemeManager = {
  ...stored,
  get: (fallback) => {
    const theme = stored.get(fallback)
    tellServer(theme)
    return theme
  },
  set: (theme) => {
    stored.set(theme)
    tellServer(theme)
  },
}

/** No cookie means the theme of the system. */
function tellServer(theme: string): void {
  const age = theme === 'auto' ? 0 : yearInSeconds
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=${age}; samesite=lax`
}
