/** Tries every document of the package before it is sent: what refuses all of them, and what only one. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { tryRequest } from '@kelisim/domain/requests/contract.ts'
import { query } from '../../api/api.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { factsOf, type TypedFacts } from '../sending/route-facts.tsx'
import type { ChosenDocument, Refusal } from './package-documents.tsx'

const delay = 300

export function usePackageCheck(values: {
  documents: readonly ChosenDocument[]
  routeId: string
  kindId: string
  facts: TypedFacts
}) {
  const { organization } = useWorkplace()
  const { documents, routeId, kindId } = values
  const isAsked = documents.length > 0 && routeId !== ''
  const [facts] = useDebouncedValue(values.facts, delay)
  const trials = useQueries({
    queries: documents.map(({ documentId }) => ({
      ...query(tryRequest, {
        organizationId: organization.Id,
        documentId,
        routeId,
        ...(kindId && { kindId }),
        facts: factsOf(facts),
      }),
      enabled: isAsked,
      placeholderData: keepPreviousData,
      // Always reloaded, because groups, recipients and the tariff change independently.
      staleTime: 0,
    })),
  })
  const found = trials.flatMap(({ data }) => data ?? [])
  const isCommon = ({ alias }: Refusal) =>
    found.every(({ refusals }) => refusals.some((one) => one.alias === alias))
  const [first] = found
  return {
    isAsked,
    error: trials.find(({ error }) => error)?.error ?? null,
    refetch: () => Promise.all(trials.map((trial) => trial.refetch())),
    trial: isAsked && first ? { ...first, refusals: first.refusals.filter(isCommon) } : undefined,
    isRefused: isAsked && found.some(({ refusals }) => refusals.length > 0),
    refusalsOf: (documentId: string): readonly Refusal[] => {
      const at = documents.findIndex((one) => one.documentId === documentId)
      return (isAsked ? (trials[at]?.data?.refusals ?? []) : []).filter((refusal) => !isCommon(refusal))
    },
  }
}
