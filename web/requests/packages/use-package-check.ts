/** Tries every document of the package before it is sent: what refuses all of them, and what only one. */
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useWorkplace } from '../../shell/session/session.ts'
import { trialDelay, trialQuery } from '../sending/queries.ts'
import { factsOf, type TypedFacts } from '../sending/route-facts.tsx'
import type { ChosenDocument, Refusal } from './package-documents.tsx'

export function usePackageCheck(values: {
  documents: readonly ChosenDocument[]
  routeId: string
  kindId: string
  facts: TypedFacts
}) {
  const { organization } = useWorkplace()
  const { documents, routeId, kindId } = values
  const isAsked = documents.length > 0 && routeId !== ''
  const [facts] = useDebouncedValue(values.facts, trialDelay)
  const trials = useQueries({
    queries: documents.map(({ documentId }) => ({
      ...trialQuery(organization.Id, { documentId, routeId, kindId, facts: factsOf(facts) }),
      enabled: isAsked,
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
