/** Plays a recording in a large dialog. Its captions are below the picture, and each is a step to jump to. */
import { clockOf, followCaptions } from '../../ui/browser/captions.ts'

export function playInDialog(dialog: HTMLDialogElement, link: HTMLAnchorElement): void {
  const player = dialog.querySelector<HTMLElement>('.player')!
  const said = dialog.querySelector<HTMLElement>('.caption')!
  const steps = dialog.querySelector<HTMLElement>('.chapters')!
  const video = Object.assign(document.createElement('video'), {
    src: link.href,
    poster: link.querySelector('img')!.src,
    controls: true,
    autoplay: true,
    playsInline: true,
  })
  const title = link.dataset['title'] ?? ''
  video.setAttribute('aria-label', title)
  const track = Object.assign(document.createElement('track'), {
    kind: 'captions',
    src: link.dataset['captions'],
    srclang: document.documentElement.lang,
    label: link.dataset['captionsLabel'],
  })
  video.append(track)
  const stop = followCaptions(track, {
    all: (captions) =>
      steps.replaceChildren(
        ...captions.map(({ text, from }) => {
          const step = Object.assign(document.createElement('button'), { type: 'button' })
          step.append(Object.assign(document.createElement('time'), { textContent: clockOf(from) }), text)
          step.addEventListener('click', () => {
            video.currentTime = from
            void video.play()
          })
          const item = document.createElement('li')
          item.append(step)
          return item
        }),
      ),
    current: (index) => {
      for (const [i, step] of [...steps.children].entries()) {
        if (i === index) step.setAttribute('aria-current', 'step')
        else step.removeAttribute('aria-current')
      }
      if (index >= 0)
        said.textContent = steps.children[index]?.querySelector('button')?.lastChild?.textContent ?? ''
    },
  })
  dialog.querySelector('h2')!.textContent = title
  dialog.querySelector('button')!.onclick = () => dialog.close()
  // A click on the backdrop closes the dialog.
  dialog.onclick = ({ target }) => target === dialog && dialog.close()
  dialog.onclose = () => {
    stop()
    player.replaceChildren()
    said.textContent = ''
    steps.replaceChildren()
    link.focus()
  }
  player.replaceChildren(video)
  dialog.showModal()
  video.focus()
}
