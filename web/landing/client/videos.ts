/** Replaces a link to a recording by a video player. */
export function playInPlace(link: HTMLAnchorElement): void {
  link.addEventListener('click', (click) => {
    if (click.ctrlKey || click.metaKey || click.shiftKey) return
    click.preventDefault()
    const video = Object.assign(document.createElement('video'), {
      src: link.href,
      poster: link.querySelector('img')!.src,
      controls: true,
      autoplay: true,
      playsInline: true,
      preload: 'none',
    })
    video.setAttribute('aria-label', link.getAttribute('aria-label') ?? '')
    const captions = Object.assign(document.createElement('track'), {
      kind: 'captions',
      src: link.dataset['captions'],
      srclang: document.documentElement.lang,
      label: link.dataset['captionsLabel'],
      default: true,
    })
    video.append(captions)
    link.replaceWith(video)
    video.focus()
  })
}
