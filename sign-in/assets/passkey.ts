/** Runs on the login page and the page that adds a passkey: asks the device and submits its response with the form. */

type PasskeyQuestion = { id: string; options: Record<string, unknown> }
type Described = { id: string; type: 'public-key' }

const root = document.querySelector<HTMLElement>('[data-passkey]')
const form = root?.querySelector('form')
const button = root?.querySelector<HTMLButtonElement>('button[type="button"]')
const status = root?.querySelector('.status')

if (root && form && button && status && 'PublicKeyCredential' in globalThis) {
  root.hidden = false
  button.disabled = false
  button.addEventListener('click', () => void ask(root.dataset, form, button, status))
  // Pressing Enter in the name field acts like the button.
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    button.click()
  })
}

async function ask(
  said: DOMStringMap,
  form: HTMLFormElement,
  button: HTMLButtonElement,
  status: Element,
): Promise<void> {
  button.disabled = true
  status.textContent = ''
  try {
    const { id, options } = await asked(said)
    const answer = said['passkey'] === 'create' ? await created(options) : await got(options)
    field(form, 'challenge').value = id
    field(form, 'credential').value = JSON.stringify(answer)
    form.submit()
  } catch (error) {
    const isCanceled = error instanceof DOMException && error.name === 'NotAllowedError'
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError'
    status.textContent =
      (isCanceled ? said['canceled'] : isKnown ? said['known'] : null) ??
      `${said['failed']} ${error instanceof Error ? error.message : ''}`
  } finally {
    button.disabled = false
  }
}

async function asked(said: DOMStringMap): Promise<PasskeyQuestion> {
  if (said['options'] !== undefined) return JSON.parse(said['options']) as PasskeyQuestion
  const response = await fetch(said['challenge'] ?? '', { method: 'POST' })
  const answer = (await response.json()) as PasskeyQuestion | { message: string }
  if ('message' in answer) throw new Error(answer.message)
  return answer
}

async function created(options: PasskeyQuestion['options']): Promise<object> {
  const { user, excludeCredentials } = options as {
    user: PublicKeyCredentialUserEntity & { id: string }
    excludeCredentials: Described[]
  }
  const publicKey = {
    ...options,
    challenge: bytesOf(String(options['challenge'])),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(({ id, type }) => ({ type, id: bytesOf(id) })),
  } as unknown as PublicKeyCredentialCreationOptions
  const { rawId, response } = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
  const { attestationObject, clientDataJSON } = response as AuthenticatorAttestationResponse
  return {
    id: textOf(rawId),
    attestationObject: textOf(attestationObject),
    clientDataJSON: textOf(clientDataJSON),
  }
}

async function got(options: PasskeyQuestion['options']): Promise<object> {
  const publicKey = {
    ...options,
    challenge: bytesOf(String(options['challenge'])),
    allowCredentials: [],
  } as PublicKeyCredentialRequestOptions
  const { rawId, response } = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  const { authenticatorData, clientDataJSON, signature, userHandle } =
    response as AuthenticatorAssertionResponse
  return {
    id: textOf(rawId),
    authenticatorData: textOf(authenticatorData),
    clientDataJSON: textOf(clientDataJSON),
    signature: textOf(signature),
    userHandle: textOf(userHandle ?? new ArrayBuffer(0)),
  }
}

/** Decodes base64url; only recent browsers have a built-in function for it. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function textOf(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function field(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement
}
