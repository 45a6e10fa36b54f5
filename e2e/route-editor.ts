/** The editor of routes and templates, by its labels. */
import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

export function nextStep(page: Page): Locator {
  return page.getByRole('combobox', { name: /^(Первый|Следующий) шаг$/ })
}

/** Adds a point by typing into the last field, or into the field beside a step. */
export async function addPoint(page: Page, typed: string, name: string, besideStep?: number): Promise<void> {
  if (besideStep === undefined) await nextStep(page).fill(typed)
  else {
    await page.getByRole('button', { name: `Добавить к шагу ${besideStep} параллельно` }).click()
    await page.getByRole('combobox', { name: `Добавить к шагу ${besideStep} параллельно` }).fill(typed)
  }
  await optionOf(page, name).click()
  await expect(handleOf(page, name)).toBeVisible()
}

/** The existing point, not the offer to create one of that name. */
export function optionOf(page: Page, name: string): Locator {
  return page.getByRole('option', { name: new RegExp(`^${name} `) })
}

/** Creates a point in place, for the accountants. */
export async function makePersonalPoint(page: Page, name: string): Promise<void> {
  await nextStep(page).fill(name)
  await page.getByRole('option', { name: `Новая точка «${name}»` }).click()
  const dialog = page.getByRole('dialog', { name: 'Новая точка' })
  await dialog.getByLabel('Тип').selectOption('Подписание сотрудником')
  await dialog.getByLabel('Только я').check()
  await dialog.getByRole('combobox', { name: 'Группа' }).fill('бух')
  await page.getByRole('option', { name: 'Бухгалтерия', exact: true }).click()
  await dialog.getByRole('button', { name: 'Создать точку' }).click()
  await expect(handleOf(page, name)).toBeVisible()
}

export function handleOf(page: Page, name: string): Locator {
  return page.getByRole('button', { name: `Передвинуть: ${name}` })
}

/** The names of the points by step, `[['a', 'b'], ['c']]`, read in one call because the page may change meanwhile. */
export function stepsOn(page: Page): Promise<string[][]> {
  return page.getByRole('listitem', { name: /^Шаг \d+ из \d+$/ }).evaluateAll((steps) =>
    steps.map((step) => {
      const handles = [...step.querySelectorAll('button[aria-label^="Передвинуть: "]')]
      return handles.map((handle) => handle.getAttribute('aria-label')!.replace('Передвинуть: ', ''))
    }),
  )
}

export async function expectSteps(page: Page, ...steps: string[][]): Promise<void> {
  await expect.poll(() => stepsOn(page)).toEqual(steps)
}

export function rehearsalOn(page: Page): Locator {
  return page.getByRole('list', { name: 'Как пойдёт документ' })
}

/** A name that no other run or test uses. */
export function unique(name: string): string {
  return `${name} ${Date.now()}${Math.floor(Math.random() * 1000)}`
}
