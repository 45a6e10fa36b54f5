// The window updates itself: it loads the page anew when another prompt becomes the current one. As long as the
// prompt stays the same nothing is touched, so that a half-typed password is not lost.
const { prompt = '', events = '' } = document.body.dataset

// the response to the form shows how the prompt ended; the event that arrives with it must not navigate first
let isAnswering = false
document.querySelector('form')?.addEventListener('submit', () => {
  isAnswering = true
})

new EventSource(events).addEventListener('prompt', ({ data }) => {
  if (data === prompt || isAnswering) return
  const next = new URL('/', location.href)
  const language = new URL(location.href).searchParams.get('lang')
  if (language) next.searchParams.set('lang', language)
  if (data === '') next.searchParams.set('ending', 'gone')
  location.assign(next)
})
