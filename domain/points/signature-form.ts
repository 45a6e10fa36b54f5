/** Which form a signature at a point has (docs/product/signatures.md#g-08). */
import type { DocumentFormat } from '../documents/formats.ts'
import { isSigningType, type PointType } from './point-types.ts'

/**
 *   cms     a file beside the document, over its exact bytes
 *   pades   inside the PDF, as one more revision of it
 *   xades   inside the XML, in a copy of the document for each signer
 */
export const signatureForms = ['cms', 'pades', 'xades'] as const
export type SignatureForm = (typeof signatureForms)[number]

/**
 * Whether the form can be chosen; an approval with a key is internal, so its signature never goes into the document.
 */
export function hasFormChoice(type: PointType): boolean {
  return isSigningType(type)
}

const insideOf = { pades: 'pdf', xades: 'xml' } as const satisfies Record<string, DocumentFormat>

export function isFormFor(form: SignatureForm, format: DocumentFormat): boolean {
  return form === 'cms' || format === insideOf[form]
}

type PointWithForm = { type: PointType; signatureForm: SignatureForm }

/**
 * The one form of all signatures of a document, so that one file contains them: if any point wants them inside the
 * document, everybody signs there. `cms` is only the default.
 */
export function formOfAll(points: readonly PointWithForm[]): SignatureForm {
  return formsWanted(points)[0] ?? 'cms'
}

/** The forms that points want besides the default; a document cannot have more than one. */
export function formsWanted(points: readonly PointWithForm[]): Exclude<SignatureForm, 'cms'>[] {
  const wanted = points.flatMap(({ type, signatureForm }) =>
    hasFormChoice(type) && signatureForm !== 'cms' ? [signatureForm] : [],
  )
  return [...new Set(wanted)]
}

/** The points with the form that their signatures have in one document. */
export function withOneForm<P extends PointWithForm>(points: readonly P[]): P[] {
  const form = formOfAll(points)
  return points.map((point) => ({ ...point, signatureForm: hasFormChoice(point.type) ? form : 'cms' }))
}
