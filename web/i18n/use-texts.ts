/**
 * Texts for a component: `const { t } = useTexts('portal')`. A key belongs to that namespace, or names another one
 * (`common:actions.save`); a key that does not exist does not compile.
 */
import { useSyncExternalStore } from 'react'
import type { Namespace } from '@kelisim/texts/resources.ts'
import type { KeyOf, Text, Values } from '@kelisim/texts/translate.ts'
import { onTextsChange, textOf, textsState } from './language.ts'

export type { KeyOf, Text }

export function useTexts<N extends Namespace = 'common'>(namespace?: N) {
  useSyncExternalStore(onTextsChange, textsState)
  const own = namespace ?? 'common'
  const t: Text<N> = (key, values) => textOf(key.includes(':') ? key : `${own}:${key}`, values) ?? key
  return {
    t,
    /** The text of a key that is only known at run time (an alias from the server), if there is one. */
    find: (key: string, values?: Values): string | undefined => textOf(key, values),
  }
}
