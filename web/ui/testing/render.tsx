/** Renders a component in happy-dom as the application does: with the texts, the theme, queries and an address. */
import { act, type ReactNode } from 'react'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { vi } from 'vitest'
import { changeLanguage, startTexts } from '../../i18n/language.ts'
import { parseSearch, searchOf, stringifySearch } from '../browser/search.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

/** `address`: the path and query of the page. */
export async function render(element: ReactNode, address = '/') {
  await startTexts()
  // Test files share loaded modules: an earlier file may have left another language.
  await changeLanguage('ru')
  const root = createRootRoute({ validateSearch: searchOf })
  const page = createRoute({ getParentRoute: () => root, path: '/', component: () => element })
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = createRouter({ routeTree: root.addChildren([page]), history, parseSearch, stringifySearch })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const place = document.createElement('div')
  document.body.append(place)
  const reactRoot = createRoot(place)
  await act(async () => {
    await router.load()
    reactRoot.render(
      <MantineProvider env="test">
        <QueryClientProvider client={client}>
          {/* The cast is needed because the type of the application's router is registered globally. */}
          <RouterProvider router={router as never} />
        </QueryClientProvider>
      </MantineProvider>,
    )
  })
  await settle()
  return {
    place,
    client,
    /** The current query of the address. */
    search: () => router.state.location.search as Record<string, unknown>,
    /** The current path of the address. */
    address: () => router.state.location.pathname,
    unmount: async () => {
      await act(async () => reactRoot.unmount())
      place.remove()
    },
  }
}

/** Lets pending promises settle and renders their effects. */
export async function settle(): Promise<void> {
  await act(async () => {
    await new Promise((resolve) => setTimeout(resolve))
  })
}

/** Waits until the expectations hold, however busy the machine is. */
export async function until(expectations: () => void): Promise<void> {
  await vi.waitFor(
    async () => {
      await settle()
      expectations()
    },
    { timeout: 30_000, interval: 5 },
  )
}

export async function fire(element: Element | null | undefined, event: Event): Promise<void> {
  await act(async () => void element?.dispatchEvent(event))
  await settle()
}

export async function click(element: Element | null | undefined): Promise<void> {
  if (!(element instanceof HTMLElement)) throw new Error('there is nothing to click')
  await act(async () => element.click())
  await settle()
}

/** Types a whole text at once, as pasting does. */
export async function type(field: Element | null | undefined, text: string): Promise<void> {
  const isLines = field instanceof HTMLTextAreaElement
  if (!isLines && !(field instanceof HTMLInputElement)) throw new Error('there is nothing to type into')
  const prototype = isLines ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype
  await act(async () => {
    // React replaces the setter of the element and notices a change only if the original setter is called.
    Object.getOwnPropertyDescriptor(prototype, 'value')!.set!.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

export function button(place: ParentNode, name: string): HTMLButtonElement | undefined {
  return [...place.querySelectorAll('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent).trim() === name,
  )
}

/** The text of each element that matches the selector. */
export function texts(place: ParentNode, selector: string): string[] {
  return [...place.querySelectorAll(selector)].map((one) => one.textContent.trim())
}
