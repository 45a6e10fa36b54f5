/** Runs on the page that waits for the phone: polls its progress and continues by itself. */

const root = document.querySelector<HTMLElement>('[data-phone]')
const form = root?.querySelector('form')
const status = root?.querySelector('.status')
const left = root?.querySelector('[data-left]')
const pause = 1500

if (root && form && status && left) watch(root.dataset, form, status, left)

function watch(said: DOMStringMap, form: HTMLFormElement, status: Element, left: Element): void {
  const until = new Date(said['until'] ?? 0).getTime()
  const clock = setInterval(() => {
    const seconds = Math.max(0, Math.round((until - Date.now()) / 1000))
    left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  }, 1000)

  async function ask(): Promise<void> {
    const state = await stateAt(said['state'] ?? '')
    const text = said[`text${state.charAt(0).toUpperCase()}${state.slice(1)}`]
    if (text !== undefined) status.textContent = text
    if (state === 'signed') {
      // the same address now asks for the code that the phone has shown
      clearInterval(clock)
      location.reload()
    } else if (state === 'proved' || state === 'refused' || state === 'canceled' || state === 'mismatched') {
      clearInterval(clock)
      form.submit()
    } else if (state === 'expired') {
      clearInterval(clock)
      left.textContent = ''
    } else setTimeout(() => void ask(), pause)
  }
  void ask()
}

/** A failed request is repeated. */
async function stateAt(address: string): Promise<string> {
  try {
    const response = await fetch(address)
    return ((await response.json()) as { state?: string }).state ?? 'waiting'
  } catch {
    return 'waiting'
  }
}
