/** A link to the comparison of two documents of a corrected request. */
import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { nameOfFile } from '@kelisim/domain/comparison/compared-file.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import type { RequestKey } from './queries.ts'

export function CompareLink(props: {
  requestKey: RequestKey
  before: number
  after: number
  label?: string
  className?: string | undefined
  children: ReactNode
}) {
  const { organizationId, signingRequestId } = props.requestKey
  const name = (revision: number) => nameOfFile({ kind: 'revision', signingRequestId, revision })
  return (
    <Link
      to="/documents/compare"
      search={{
        before: name(props.before),
        after: name(props.after),
        ...(organizationId === emptyId && { own: true }),
      }}
      aria-label={props.label}
      className={props.className}
    >
      {props.children}
    </Link>
  )
}
