import { useMediaQuery } from '@mantine/hooks'

/** Whether the screen is below the breakpoint of phones (web/ui/look/theme.css), already when it is first drawn. */
export function useIsPhone(): boolean {
  return useMediaQuery('(width < 700px)', false, { getInitialValueInEffect: false })
}
