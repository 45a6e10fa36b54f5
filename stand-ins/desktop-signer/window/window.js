// The window comes alive by itself: when another request becomes the one to answer, the page is asked for anew. While
// it stays the same nothing is touched, so that a password half typed is not lost.
const { prompt, events } = document.body.dataset

new EventSource(events ?? '').addEventListener('prompt', ({ data }) => {
  const isOver = data === '' && prompt !== ''
  if (data !== prompt) location.assign(isOver ? '/?ending=gone' : '/')
})
