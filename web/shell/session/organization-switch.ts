/** Switches the organisation at once, or after a question if unsaved changes could be lost. */
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { isDirty, clearDirty } from '../../ui/form/dirty.ts'
import { dropAllDrafts } from '../../ui/form/drafts.ts'
import { rememberOrganization, useWorkplace, type Organization } from './session.ts'
import { afterSwitch } from './switch-rules.ts'

/** The switch that is waiting for an answer; the menu and the search request it, and one dialog asks. */
let question: Organization | null = null
const listeners = new Set<() => void>()

function setQuestion(next: Organization | null): void {
  question = next
  for (const listener of listeners) listener()
}

export function useSwitch() {
  const navigate = useNavigate()
  const { profile } = useWorkplace()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const asked = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => question,
  )

  function go(to: Organization): void {
    clearDirty()
    dropAllDrafts()
    rememberOrganization(profile.Login, to.Id)
    void navigate({ to: afterSwitch(path).path, search: { organizationId: to.Id } })
  }

  return {
    question: asked,
    ask: (to: Organization) => {
      if (afterSwitch(path).asksFirst || isDirty()) setQuestion(to)
      else go(to)
    },
    answer: (isYes: boolean) => {
      if (isYes && asked) go(asked)
      setQuestion(null)
    },
  }
}
