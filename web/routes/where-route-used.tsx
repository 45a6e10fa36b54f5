import type { RouteKind } from '@kelisim/domain/routes/contract.ts'
import { WhereUsed } from '../uses/where-used.tsx'

export function WhereRouteUsed({ kind, id }: { kind: RouteKind; id: string }) {
  return <WhereUsed kind={kind === 'template' ? 'routeTemplate' : 'route'} id={id} />
}
