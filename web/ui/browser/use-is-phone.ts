import { useMediaQuery } from '@mantine/hooks'

/**
 * Whether the screen is below the breakpoint of phones (web/ui/look/theme.css), known already at the first render.
 */
export function useIsPhone(): boolean {
  return useMediaQuery('(width < 700px)', false, { getInitialValueInEffect: false })
}
