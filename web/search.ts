/** What any address may carry; lists add where they are. */
export type Search = {
  organizationId?: string
  page?: number | undefined
  take?: number | undefined
  name?: string | undefined
  /** The key of the column by which the list is sorted; with a minus: from the end. */
  sort?: string | undefined
  /** The New document button: open the list with the upload dialog. */
  upload?: boolean
  changeAccount?: boolean
  returnUri?: string
}

export function searchOf(raw: Record<string, unknown>): Search {
  const search: Search = {}
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const number = (value: unknown) =>
    Number.isInteger(Number(value)) && Number(value) > 0 ? Number(value) : undefined
  if (text(raw['organizationId'])) search.organizationId = text(raw['organizationId'])
  const page = number(raw['page'])
  if (page) search.page = page
  const take = number(raw['take'])
  if (take && take <= 100) search.take = take
  if (text(raw['name'])) search.name = text(raw['name'])
  if (/^-?[a-z]+$/i.test(text(raw['sort']))) search.sort = text(raw['sort'])
  if (raw['upload'] !== undefined) search.upload = true
  if (raw['changeAccount'] !== undefined) search.changeAccount = true
  if (text(raw['returnUri'])) search.returnUri = text(raw['returnUri'])
  return search
}
