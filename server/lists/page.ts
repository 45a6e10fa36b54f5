/** A page of a list, as the API asks for it and answers. */

export type Page = { skip: number; take: number }

export type ListOf<T> = { items: T[]; totalCount: number }
