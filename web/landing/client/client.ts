/**
 * The scripts of the landing page, which also works without scripts. Larger parts are loaded when they are needed.
 */
import { dropToSend } from './drop-to-send.ts'
import { openedMenus } from './menus.ts'

openedMenus()

const pdfDialog = document.querySelector<HTMLDialogElement>('dialog.pdf')!
onLinks('a[data-pdf]', (link) => {
  void import('./pdf-dialog.ts').then(({ showPdf }) => showPdf(pdfDialog, link))
})
const videoDialog = document.querySelector<HTMLDialogElement>('dialog.video')!
onLinks('a[data-video]', (link) => {
  void import('./video-dialog.ts').then(({ playInDialog }) => playInDialog(videoDialog, link))
})

const form = document.querySelector<HTMLFormElement>('.feedback form')!
whenNear(form, () => void import('./feedback-form.ts').then(({ feedbackForm }) => feedbackForm(form)))

const quick = document.querySelector<HTMLElement>('[data-quick-send]')!
quick.querySelector('button')!.addEventListener('click', () => sendQuickly(null))
dropToSend(document.querySelector<HTMLElement>('[data-drop]')!, sendQuickly)

function sendQuickly(file: File | null): void {
  if (file) document.getElementById('quick-send')!.scrollIntoView()
  void import('./open-quick-send.ts').then(({ openQuickSend }) => openQuickSend(quick, file))
}

function onLinks(selector: string, open: (link: HTMLAnchorElement) => void): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(selector)) {
    link.addEventListener('click', (click) => {
      // Let the browser open new tabs itself.
      if (click.ctrlKey || click.metaKey || click.shiftKey) return
      click.preventDefault()
      open(link)
    })
  }
}

/** Starts when the element is about to be scrolled into view. */
function whenNear(element: Element, begin: () => void): void {
  const watch = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      watch.disconnect()
      begin()
    },
    { rootMargin: '600px' },
  )
  watch.observe(element)
}
