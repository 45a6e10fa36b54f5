// The window comes alive by itself: when another request becomes the one to answer, the page is asked for anew. While
// it stays the same nothing is touched, so that a password half typed is not lost.
const { prompt = '', events = '' } = document.body.dataset

// the answer to the form tells how it ended; the event that comes with it must not get ahead of that
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
