/** The behaviour of every text field, including those outside of `useApiForm`. */
import { useTexts } from '../../i18n/use-texts.ts'

/** Text may not start with a space. */
export function typedText({ currentTarget }: { currentTarget: { value: string } }): string {
  return currentTarget.value.trimStart()
}

/**
 * Whether at most a tenth of the allowed length is left, and at least 1 character; until then a field shows its help.
 */
export function isNearLimit(length: number, max: number): boolean {
  return max - length <= Math.max(1, max / 10)
}

/** The line below a field: its help, or near the limit how many characters are left. */
export function useLimitNote(): (value: string, max: number, help: string | undefined) => string | undefined {
  const { t } = useTexts()
  return (value, max, help) =>
    isNearLimit(value.length, max) ? t('field.left', { count: max - value.length }) : help
}
