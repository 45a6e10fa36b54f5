/**
 * Confirms by a signature of the desktop program that the person acts for an organisation; reports the current step
 * and the failure.
 */
import { useState } from 'react'
import { askForChallenge, confirmOrganization } from '@kelisim/domain/identity/confirmation-contract.ts'
import type { ClaimKind } from '@kelisim/domain/identity/confirmation.ts'
import { programCode, type ProgramFault } from '@kelisim/domain/signatures/signing-program.ts'
import type * as z from 'zod/mini'
import { ApiError, call } from '../api/api.ts'
import { currentLanguage, loadTexts } from '../i18n/language.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { connectDesktopSigner, SigningError, type SignerSettings } from '../signatures/desktop-signer.ts'
import { showError } from '../ui/dialogs/error-store.ts'

export type Confirmed = z.output<typeof confirmOrganization.result>
export type Step = 'connecting' | 'choosing' | 'checking'
export type Problem = { fault: ProgramFault } | { error: ApiError }

type ConfirmationTarget = { kind: ClaimKind; organizationId?: string }

export function useConfirmation(settings: SignerSettings, onDone: (result: Confirmed) => void) {
  const [step, setStep] = useState<Step | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const problemText = useProblemText()

  async function begin(what: ConfirmationTarget): Promise<void> {
    setProblem(null)
    try {
      onDone(await confirm(settings, what, setStep))
    } catch (error) {
      if (error instanceof SigningError) {
        await loadTexts('signatures')
        setProblem({ fault: error.fault })
      } else if (!(error instanceof ApiError)) throw error
      else if (confirmOrganization.refusals.some((alias) => alias === error.alias)) setProblem({ error })
      else showError(error)
    } finally {
      setStep(null)
    }
  }

  return { step, problem, problemText: problem && problemText(problem), begin }
}

async function confirm(
  settings: SignerSettings,
  what: ConfirmationTarget,
  onStep: (step: Step) => void,
): Promise<Confirmed> {
  onStep('connecting')
  // Before the challenge is requested, because it is valid for a few minutes only.
  const signer = await connectDesktopSigner(settings)
  try {
    const { id: challengeId, content } = await call(askForChallenge, {})
    onStep('choosing')
    const options = { withTimestamp: false, locale: currentLanguage() }
    const [signature = ''] = await signer.signDetached([content], options)
    onStep('checking')
    return await call(confirmOrganization, { challengeId, signature, ...what })
  } finally {
    signer.close()
  }
}

function useProblemText(): (problem: Problem) => string {
  const { find } = useTexts()
  return (problem) => {
    if ('error' in problem) {
      const { alias, parameters, message } = problem.error
      return find(`errors:${alias}.text`, { ...parameters }) ?? message
    }
    const code = programCode(problem.fault)
    return `${find(`signatures:codes.${code}`) ?? problem.fault} (${code})`
  }
}
