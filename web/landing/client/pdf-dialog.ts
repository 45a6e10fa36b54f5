/** Shows a document in a dialog; its pages are rendered here because phones show no PDF inside a page. */
import { openPdf, type PDFDocumentProxy } from '../../documents/preview/pdf-reader.ts'

let shown = 0

export async function showPdf(dialog: HTMLDialogElement, link: HTMLAnchorElement): Promise<void> {
  const own = ++shown
  const pages = dialog.querySelector<HTMLElement>('.pages')!
  const { loading = '', failed = '', page = '' } = dialog.dataset
  dialog.querySelector('h2')!.textContent = link.textContent
  dialog.querySelector<HTMLAnchorElement>('a[download]')!.href = link.href
  dialog.querySelector<HTMLButtonElement>('button')!.onclick = () => dialog.close()
  // A click on the backdrop closes the dialog.
  dialog.onclick = ({ target }) => target === dialog && dialog.close()
  dialog.onclose = () => {
    shown++
    pages.replaceChildren()
  }
  pages.textContent = loading
  dialog.showModal()
  try {
    const answer = await fetch(link.href)
    if (!answer.ok) throw new Error(`${link.href}: ${answer.status}`)
    const document = await openPdf(await answer.arrayBuffer()).promise
    if (own !== shown) return
    pages.replaceChildren()
    for (let number = 1; number <= document.numPages; number++) {
      const label = page.replace('{{page}}', String(number)).replace('{{pages}}', String(document.numPages))
      await draw(document, number, pages, label)
      if (own !== shown) return
    }
  } catch (error) {
    console.error(error)
    if (own === shown) pages.textContent = failed
  }
}

async function draw(
  document: PDFDocumentProxy,
  number: number,
  pages: HTMLElement,
  label: string,
): Promise<void> {
  const page = await document.getPage(number)
  const width = Math.min(pages.clientWidth - 32, 900)
  const scale = (width / page.getViewport({ scale: 1 }).width) * Math.min(devicePixelRatio, 2)
  const viewport = page.getViewport({ scale })
  const canvas = Object.assign(window.document.createElement('canvas'), {
    width: Math.floor(viewport.width),
    height: Math.floor(viewport.height),
    role: 'img',
    ariaLabel: label,
  })
  // The text of the page for screen readers.
  const { items } = await page.getTextContent()
  canvas.textContent = items.map((item) => ('str' in item ? item.str : '')).join(' ')
  pages.append(canvas)
  await page.render({ canvas, viewport }).promise
}
