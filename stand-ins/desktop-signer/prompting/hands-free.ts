/**
 * Responds in place of a person, for tests: by a function given at the start, or by HTTP with one response for each
 * prompt.
 */
import { unfitnessCodes } from './key-demands.ts'
import { ProgramError } from './program-error.ts'
import type { Choice, PromptResult, Prompts, Request } from './prompts.ts'

export type Chooser = (request: Request) => Choice | null | Promise<Choice | null>

/** Calls the chooser at every new prompt; null leaves it to the person at the window. */
export function answerByChooser(prompts: Prompts, chooser: Chooser): void {
  const seen = new Set<string>()
  prompts.watch(() => {
    for (const { id, request } of prompts.waiting()) {
      if (seen.has(id)) continue
      seen.add(id)
      void answerPrompt(prompts, id, request, chooser)
    }
  })
}

async function answerPrompt(prompts: Prompts, id: string, request: Request, chooser: Chooser): Promise<void> {
  const choice = await chooser(request)
  if (choice) await chooseOnce(prompts, id, choice)
}

/** Answers once, because nobody is there to try again: the page gets the error that a person would be shown. */
export async function chooseOnce(prompts: Prompts, id: string, choice: Choice): Promise<void> {
  const request = prompts.find(id)?.request
  // no storage is available, so the only option is to cancel
  const outcome = await prompts.choose(id, request?.hasStorage === false ? 'cancel' : choice)
  const error = errorOf(outcome)
  if (error) prompts.fail(id, error)
}

function errorOf(outcome: PromptResult): ProgramError | null {
  switch (outcome) {
    case 'answered':
    case 'gone':
    case 'blocked':
      return null
    case 'wrong-password':
      return new ProgramError('WRONG_KEYSTORE_PASSWORD')
    case 'unreadable':
      return new ProgramError('KEYSTORE_LOADING_FAILURE')
    case 'no-key':
      return new ProgramError('KEY_NOT_FOUND')
    case 'use':
    case 'role':
    case 'owner':
    case 'serial-number':
    case 'not-in-time':
    case 'issuer':
      return new ProgramError(unfitnessCodes[outcome])
  }
}

/** Responses given beforehand wait for their prompts; later ones go to the oldest pending prompt. */
export function answerQueue(prompts: Prompts) {
  const told: Choice[] = []
  const taken = new Set<string>()

  function match(): void {
    for (const { id } of prompts.waiting()) {
      if (taken.has(id)) continue
      const choice = told.shift()
      if (choice === undefined) return
      taken.add(id)
      void chooseOnce(prompts, id, choice)
    }
  }

  prompts.watch(match)
  return {
    tell(choice: Choice): void {
      told.push(choice)
      match()
    },
    forget(): void {
      told.length = 0
    },
  }
}
