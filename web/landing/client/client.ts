/** The scripts of the landing, which works as plain HTML too. Larger parts are loaded when they are needed. */
import { openedMenus } from './menus.ts'
import { playInPlace } from './videos.ts'

openedMenus()
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-video]')) playInPlace(link)

const dialog = document.querySelector<HTMLDialogElement>('dialog.pdf')!
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-pdf]')) {
  link.addEventListener('click', (click) => {
    // Let the browser open new tabs itself.
    if (click.ctrlKey || click.metaKey || click.shiftKey) return
    click.preventDefault()
    void import('./pdf-dialog.ts').then(({ showPdf }) => showPdf(dialog, link))
  })
}

const form = document.querySelector<HTMLFormElement>('.feedback form')!
whenNear(form, () => void import('./feedback-form.ts').then(({ feedbackForm }) => feedbackForm(form)))

const quick = document.querySelector<HTMLElement>('[data-quick-send]')!
quick.querySelector('button')!.addEventListener('click', () => {
  void import('./open-quick-send.ts').then(({ openQuickSend }) => openQuickSend(quick))
})

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
