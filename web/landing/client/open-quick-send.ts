/** Opens the form for sending without an account; its code is loaded when it is first opened. */
type QuickSend = { mountQuickSend: (place: HTMLElement) => void | Promise<void> }

const found = import.meta.glob<QuickSend>('../quick/quick-send.{ts,tsx}')

export async function openQuickSend(place: HTMLElement): Promise<void> {
  const { opening = '', failed = '' } = place.dataset
  const button = place.querySelector('button')!
  const said = place.querySelector<HTMLElement>('.said')!
  const [load] = Object.values(found)
  button.disabled = true
  said.textContent = opening
  try {
    const { mountQuickSend } = await load!()
    place.dataset['open'] = ''
    await mountQuickSend(place)
    place.tabIndex = -1
    place.focus()
  } catch (error) {
    console.error(error)
    button.disabled = false
    said.textContent = failed
  }
}
