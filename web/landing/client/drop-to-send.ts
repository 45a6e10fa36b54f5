/** The field of the hero: a file that is dropped or chosen there begins the sending. */
export function dropToSend(zone: HTMLElement, send: (file: File) => void): void {
  const input = zone.querySelector('input')!
  input.addEventListener('change', () => {
    const [chosen] = input.files ?? []
    if (chosen) send(chosen)
    // So that the same file can be chosen again.
    input.value = ''
  })
  zone.addEventListener('dragover', (event) => {
    event.preventDefault()
    zone.dataset['over'] = ''
  })
  zone.addEventListener('dragleave', () => delete zone.dataset['over'])
  zone.addEventListener('drop', (event) => {
    event.preventDefault()
    delete zone.dataset['over']
    const [dropped] = event.dataTransfer?.files ?? []
    if (dropped) send(dropped)
  })
}
