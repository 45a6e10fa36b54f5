/** Classifiers, the tags of signing requests (docs/product/classifiers.md). */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import {
  countLimit,
  Id,
  line,
  listOf,
  Moment,
  OfOrganization,
  Page,
  requiredLine,
  Version,
} from '../fields.ts'

export const longestClassifierName = 256

export const Classifier = z.object({
  classificatorId: Id,
  name: z.string(),
  author: z.object({ userId: Id, fullName: z.string() }),
  createdAt: Moment,
  currentVersion: Version,
  allowed: z.object({ rename: z.boolean() }),
})

/** A leading minus means descending. */
export const classifierSorts = ['created', '-created', 'name', '-name'] as const
export const defaultClassifierSort = '-created'

export const getClassifiers = endpoint({
  method: 'GET',
  path: '/api/Classificators/:organizationId/:skip/:take',
  access: 'member',
  summary: 'The classifiers of the organisation',
  input: z.extend(OfOrganization, {
    ...Page.shape,
    // A longer list is searched rather than paged through.
    skip: Page.shape.skip.check(z.maximum(countLimit)),
    name: z.optional(line(longestClassifierName)),
    sort: z._default(z.enum(classifierSorts), defaultClassifierSort),
  }),
  result: listOf(Classifier),
  refusals: [],
})

const mostIds = 100

export const getClassifiersByIds = endpoint({
  method: 'GET',
  path: '/api/Classificators/:organizationId/getByIds',
  access: 'member',
  summary: 'Those of the given classifiers that are of the organisation',
  input: z.extend(OfOrganization, {
    /** Repeated in the query, or separated by commas. */
    classificatorsId: z.pipe(
      z.union([z.string(), z.array(z.string())]),
      z.pipe(
        z.transform((value: string | string[]) => [value].flat().flatMap((ids) => ids.split(','))),
        z.array(Id).check(z.maxLength(mostIds)),
      ),
    ),
  }),
  result: listOf(Classifier),
  refusals: [],
})

const OfClassifier = z.extend(OfOrganization, { classificatorId: Id })
const Name = requiredLine(longestClassifierName)

export const getClassifier = endpoint({
  method: 'GET',
  path: '/api/Classificators/:organizationId/:classificatorId',
  access: 'member',
  summary: 'One classifier',
  input: OfClassifier,
  result: Classifier,
  refusals: ['classificator-not-found'],
})

export const addClassifier = endpoint({
  method: 'POST',
  path: '/api/Classificators/:organizationId',
  access: 'owner',
  summary: 'Make a classifier; its name is the only one of that kind in the organisation',
  input: z.extend(OfOrganization, { name: Name }),
  result: Classifier,
  refusals: ['classificator-name-already-in-use'],
})

export const saveClassifier = endpoint({
  method: 'PUT',
  path: '/api/Classificators/:organizationId/:classificatorId',
  access: 'owner',
  summary: 'Rename a classifier',
  input: z.extend(OfClassifier, { name: Name, currentVersion: Version }),
  result: Classifier,
  refusals: ['classificator-not-found', 'classificator-name-already-in-use', 'request-changed'],
})
