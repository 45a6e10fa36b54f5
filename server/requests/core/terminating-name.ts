/** The name of the document that terminates a request, in the language of the request, like its own text. */
import { textsOf } from '@kelisim/texts/server.ts'
import type { RequestRow } from './queries/rows.ts'

/** A later attempt is numbered, because an earlier one that was rejected is kept too. */
export function terminatingTitle({ language, name }: Named, attempt: number): string {
  const t = textsOf(language, 'requests-termination')
  return attempt > 1 ? t('namedAgain', { name, attempt }) : t('named', { name })
}

export function terminatingFileName(row: Named, attempt: number): string {
  return `${terminatingTitle(row, attempt)}.pdf`
}

type Named = Pick<RequestRow, 'language' | 'name'>
