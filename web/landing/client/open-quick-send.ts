/** Opens the form for sending without an account; its code is loaded when it is first opened. */
type QuickSend = { mountQuickSend: (place: HTMLElement, file: File | null) => void | Promise<void> }

const found = import.meta.glob<QuickSend>('../quick/quick-send.{ts,tsx}')

export async function openQuickSend(place: HTMLElement, file: File | null): Promise<void> {
  const { opening = '', failed = '' } = place.dataset
  // The form replaces both elements, so they are missing when a file is dropped while the form is already open.
  const button = place.querySelector<HTMLButtonElement>('button.needs-script')
  const said = place.querySelector<HTMLElement>('p.said[role=status]')
  const [load] = Object.values(found)
  showStatus(opening, true)
  try {
    const { mountQuickSend } = await load!()
    place.dataset['open'] = ''
    await mountQuickSend(place, file)
    place.tabIndex = -1
    place.focus({ preventScroll: true })
  } catch (error) {
    console.error(error)
    showStatus(failed, false)
  }

  function showStatus(text: string, isOpening: boolean): void {
    if (button) button.disabled = isOpening
    if (said) said.textContent = text
  }
}
