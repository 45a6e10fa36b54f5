/**
 * Runs on the login page: asks the signing program on this computer to sign the challenge, and submits the signature.
 */

type Program = {
  /** Where the library looks for a program of another vendor. */
  kmdHttpApiUrl: string
  connect: () => Promise<string>
  basicsSignCMS: (
    storages: string[] | null,
    data: string,
    parameters: object,
    signer: object,
    locale: string,
  ) => Promise<string | string[]>
}
type ProgramClass = new (url: string, allowKmdHttpApi: boolean) => Program
type Challenge = { id: string; content: string }

const root = document.querySelector<HTMLElement>('[data-signature]')
const form = root?.querySelector('form')
const button = root?.querySelector('button')
const status = root?.querySelector('.status')

if (root && form && button && status) {
  button.disabled = false
  const start = () => void signIn(root.dataset, form, button, status)
  button.addEventListener('click', start)
  // The person has just chosen to sign in this way in the application.
  if (root.dataset['atOnce'] !== undefined) start()
}

async function signIn(
  said: DOMStringMap,
  form: HTMLFormElement,
  button: HTMLButtonElement,
  status: Element,
): Promise<void> {
  const say = (text: string | undefined) => (status.textContent = text ?? '')
  button.disabled = true
  try {
    say(said['connecting'])
    const program = await connected(said)
    if (!program) {
      say(said['notrunning'])
      return
    }
    const challenge = await newChallenge(said['challenge'] ?? '')
    say(said['choosing'])
    const cms = await signed(program, challenge, said)
    say(said['checking'])
    field(form, 'challenge').value = challenge.id
    field(form, 'cms').value = cms
    form.submit()
  } catch (error) {
    say(
      isCanceled(error)
        ? said['canceled']
        : `${said['failed']} ${error instanceof Error ? error.message : ''}`,
    )
  } finally {
    button.disabled = false
  }
}

async function connected(said: DOMStringMap): Promise<Program | null> {
  const { NCALayerClient } = globalThis as unknown as { NCALayerClient: ProgramClass }
  const program = new NCALayerClient(said['program'] ?? '', false)
  // the library looks there even when told not to; an invalid address makes that fail without a call
  program.kmdHttpApiUrl = 'http://'
  try {
    await program.connect()
    return program
  } catch {
    return null
  }
}

async function newChallenge(address: string): Promise<Challenge> {
  const response = await fetch(address, { method: 'POST' })
  const answer = (await response.json()) as Challenge | { message: string }
  if ('message' in answer) throw new Error(answer.message)
  return answer
}

/**
 * Signs detached and without a timestamp, because the service itself knows the time of the sign-in. The server
 * decides which keys are accepted.
 */
async function signed(program: Program, { content }: Challenge, said: DOMStringMap): Promise<string> {
  const parameters = { decode: true, encapsulate: false, digested: false }
  const signer = { extKeyUsageOids: [], ...(said['anyChain'] === 'true' && { chain: [] }) }
  const result = await program.basicsSignCMS(null, content, parameters, signer, said['language'] ?? 'ru')
  return Array.isArray(result) ? (result[0] ?? '') : result
}

function isCanceled(error: unknown): boolean {
  return error instanceof Error && 'canceledByUser' in error && error.canceledByUser === true
}

function field(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement
}
