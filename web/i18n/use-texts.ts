/**
 * Texts for a component: `const { t } = useTexts('portal')`. A key is one of that namespace, or names another
 * (`common:actions.save`); one that does not exist does not compile.
 */
import { useTranslation } from 'react-i18next'
import type { Namespace, Resources } from '@kelisim/texts/resources.ts'

type Leaves<T> = {
  [K in keyof T & string]: T[K] extends string ? WithoutPlural<K> : `${K}.${Leaves<T[K]>}`
}[keyof T & string]

/** i18next keeps the forms of a number as key_one, key_few …; the caller names the key alone. */
type WithoutPlural<K extends string> = K extends `${infer Base}_${'one' | 'few' | 'many' | 'other'}` ? Base : K

export type KeyOf<N extends Namespace> = Leaves<Resources[N]>
export type AnyKey = { [N in Namespace]: `${N}:${KeyOf<N>}` }[Namespace]

export type Text<N extends Namespace> = (key: KeyOf<N> | AnyKey, values?: Record<string, unknown>) => string

export function useTexts<N extends Namespace = 'common'>(namespace?: N) {
  const { t, i18n } = useTranslation(namespace ?? 'common')
  return {
    t: t as unknown as Text<N>, // the same function; the library's own types know one namespace at a time
    /** The text of a key that is only known while running (an alias from the server), if there is one. */
    find: (key: string, values?: Record<string, unknown>): string | undefined =>
      i18n.exists(key) ? (t as unknown as (key: string, values?: object) => string)(key, values) : undefined,
  }
}
