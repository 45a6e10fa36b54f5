import { readFileSync } from 'node:fs'
import { compileFunction } from 'node:vm'
import { expect, test } from 'vitest'

const script = readFileSync(new URL('window.js', import.meta.url), 'utf8')

/** The script on a page that shows this prompt: the events it gets, and where it navigates. */
function pageShowing(prompt: string, address = 'http://127.0.0.1:13589/') {
  const gone: string[] = []
  let tell = (_event: { data: string }) => {}
  let submit = () => {}
  const document = {
    body: { dataset: { prompt, events: '/events?token=t' } },
    querySelector: () => ({ addEventListener: (_: string, listener: () => void) => (submit = listener) }),
  }
  const EventSource = function () {
    return { addEventListener: (_: string, listener: typeof tell) => (tell = listener) }
  }
  const location = { href: address, assign: (url: URL) => gone.push(url.pathname + url.search) }
  compileFunction(script, ['document', 'EventSource', 'location', 'URL'])(
    document,
    EventSource,
    location,
    URL,
  )
  return { gone, tell: (data: string) => tell({ data }), submit: () => submit() }
}

test('while the prompt stays the same the page is not reloaded', () => {
  const { gone, tell } = pageShowing('one')
  tell('one')
  expect(gone).toEqual([])
})

test('a new prompt is shown, in the language the person chose', () => {
  const { gone, tell } = pageShowing('', 'http://127.0.0.1:13589/?ending=answered&lang=kk')
  tell('')
  tell('two')
  expect(gone).toEqual(['/?lang=kk'])
})

test('a prompt whose page has left is shown as gone', () => {
  const { gone, tell } = pageShowing('one')
  tell('')
  expect(gone).toEqual(['/?ending=gone'])
})

test('after the form is sent its own response shows the end', () => {
  const { gone, tell, submit } = pageShowing('one')
  submit()
  tell('')
  expect(gone).toEqual([])
})
