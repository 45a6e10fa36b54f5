/** A page of a list, as requested and returned by the API. */

export type Page = { skip: number; take: number }

export type ListOf<T> = { items: T[]; totalCount: number }
