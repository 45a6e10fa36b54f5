/** Shows groups in the archive, e-mail or card that they came in. */
import type { Container, CollectedFile } from './collect.ts'
import { containersAround, hashed, type ExaminedGroup, type FilesSetting, type HashedFile } from './group.ts'
import { baseName } from './input-file.ts'

/** Adds to each group which container was opened and what else it contained. */
export async function inContainers(
  groups: readonly ExaminedGroup[],
  found: readonly CollectedFile[],
  work: FilesSetting,
): Promise<ExaminedGroup[]> {
  const envelopes = new Map<Container, HashedFile>()
  const isSigned = ({ kind }: ExaminedGroup) => kind !== 'alone' && kind !== 'record'
  const cards = new Set(
    groups.filter(isSigned).flatMap(({ within }) => (within?.kind === 'card' ? [within] : [])),
  )
  const listed = new Set<Container>()
  const told: ExaminedGroup[] = []
  for (const group of await withoutPlainContainers(groups, work)) {
    const { within } = group
    const isOfCard = within !== null && cards.has(within)
    // The card's pages and its other contents are reported with its signatures.
    const isCardItself = [...cards].some(({ blob }) => blob === group.documents[0]?.blob)
    if (!isSigned(group) && (isOfCard || isCardItself)) continue
    if (!within) {
      told.push({ ...group, attachments: partsOf(group, found) })
      continue
    }
    const envelope = group.envelope ?? envelopes.get(within) ?? (await hashed(within, work))
    envelopes.set(within, envelope)
    const attachments =
      isOfCard && !listed.has(within) ? attachmentsIn(within, found, groups) : partsOf(group, found)
    listed.add(within)
    told.push({ ...group, envelope, attachments })
  }
  return told
}

function attachmentsIn(
  card: Container,
  found: readonly CollectedFile[],
  groups: readonly ExaminedGroup[],
): ExaminedGroup['attachments'] {
  const signed = groups.flatMap(({ kind, documents }) =>
    kind === 'alone' || kind === 'record' ? [] : documents.map(({ blob }) => blob),
  )
  return found
    .filter(({ container }) => container === card)
    .map(({ name, kind, blob }) => ({
      name: baseName(name),
      role:
        kind === 'signature' || kind === 'electronic'
          ? 'signature'
          : signed.includes(blob)
            ? 'document'
            : 'other',
    }))
}

/** The contents of a signed e-mail, which are signed with it. */
function partsOf(
  { documents, signatures }: ExaminedGroup,
  found: readonly CollectedFile[],
): ExaminedGroup['attachments'] {
  if (signatures.length === 0) return []
  return found
    .filter(({ partOf }) => documents.some(({ blob }) => blob === partOf?.blob))
    .map(({ name }) => ({ name: baseName(name), role: 'document' }))
}

/** An archive or an e-mail in which nothing is signed is a document without a signature. */
async function withoutPlainContainers(
  groups: readonly ExaminedGroup[],
  work: FilesSetting,
): Promise<ExaminedGroup[]> {
  const outermost = ({ within }: ExaminedGroup) => containersAround(within).at(-1) ?? null
  const isPlain = (container: Container) =>
    groups.every((group) => outermost(group) !== container || group.trouble === 'document')
  const kept: ExaminedGroup[] = []
  const replaced = new Set<Container>()
  for (const group of groups) {
    const container = outermost(group)
    if (!container || container.kind === 'card' || !isPlain(container)) kept.push(group)
    else if (!replaced.has(container)) {
      replaced.add(container)
      kept.push({ ...group, within: null, documents: [await hashed(container, work)] })
    }
  }
  return kept
}
