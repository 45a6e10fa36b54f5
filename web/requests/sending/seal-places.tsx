/** Where on the document the seals of the signing steps are shown; only for readers, without legal effect. */
import { useState } from 'react'
import { Button, Group, Modal, NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { downloadDocument } from '@kelisim/domain/documents/contract.ts'
import { isSigningType, typeOf } from '@kelisim/domain/points/point-types.ts'
import {
  sealRatio,
  sealWidth,
  type PointPlace,
  type SealPlace,
} from '@kelisim/domain/requests/places/place.ts'
import { fetchFile } from '../../api/file-api.ts'
import type { Area } from '../../documents/preview/places/place.ts'
import { FilePreview } from '../../documents/preview/preview.tsx'
import { documentQuery } from '../../documents/queries.ts'
import type { DocumentView } from '../../documents/shared/document-acts.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import type { RouteView } from '../../routes/editor/route-view.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { useFormContext } from '../../ui/form/form.tsx'
import { Card } from '../../ui/page/page.tsx'
import classes from './send.module.css'

type SigningPoint = { pointId: string; name: string }

export function SealPlacesCard({ route }: { route: RouteView | undefined }) {
  const { t } = useTexts('requests-sending')
  const { organization } = useWorkplace()
  const form = useFormContext()
  const documentId = String(form.values['documentId'])
  const { data: document } = useQuery({
    ...documentQuery(organization.Id, documentId),
    enabled: documentId !== '',
  })
  const [placing, setPlacing] = useState<SigningPoint | null>(null)
  const points = route ? signingPoints(route) : []
  if (!document || document.format !== 'pdf' || points.length === 0) return null
  const places = form.values['places'] as PointPlace[]
  const placeOf = (pointId: string) => places.find((place) => place.pointId === pointId)
  const save = (pointId: string, place: SealPlace | null) =>
    form.set('places', [
      ...places.filter((one) => one.pointId !== pointId),
      ...(place ? [{ pointId, ...place }] : []),
    ])
  return (
    <Card title={t('places.title')}>
      <p className={classes.quiet}>{t('places.text')}</p>
      <ul className={classes.places}>
        {points.map((point) => {
          const place = placeOf(point.pointId)
          return (
            <li key={point.pointId}>
              <span>
                <b>{point.name}</b>
                <small>{place ? t('places.onPage', { page: place.page }) : t('places.none')}</small>
              </span>
              <Button variant="default" onClick={() => setPlacing(point)}>
                {t(place ? 'places.change' : 'places.choose')}
              </Button>
            </li>
          )
        })}
      </ul>
      {placing && (
        <PlaceDialog
          document={document}
          point={placing}
          place={placeOf(placing.pointId) ?? null}
          onDone={(place) => {
            save(placing.pointId, place)
            setPlacing(null)
          }}
          onClose={() => setPlacing(null)}
        />
      )}
    </Card>
  )
}

/** Removes the places of steps that are no longer in the route. */
export function placesAlong(route: RouteView | undefined, places: readonly PointPlace[]): PointPlace[] {
  const known = new Set(route ? signingPoints(route).map(({ pointId }) => pointId) : [])
  return places.filter(({ pointId }) => known.has(pointId))
}

function signingPoints({ points }: RouteView): SigningPoint[] {
  return points
    .filter(({ type }) => isSigningType(typeOf(type)!))
    .map(({ pointId, name }) => ({ pointId, name }))
}

const across = { left: 0.06, middle: 0.35, right: 0.64 } as const
const down = { top: 0.06, centre: 0.45, foot: 0.86 } as const
const spots = Object.keys(down).flatMap((row) => Object.keys(across).map((column) => `${row}-${column}`))

function PlaceDialog(props: {
  document: DocumentView
  point: SigningPoint
  place: SealPlace | null
  onDone: (place: SealPlace | null) => void
  onClose: () => void
}) {
  const { t, find } = useTexts('requests-sending')
  const { organization } = useWorkplace()
  const { document, point } = props
  const [place, setPlace] = useState(props.place)
  const [pages, setPages] = useState<number | null>(null)
  const [shown, setShown] = useState<{ id: string } | null>(props.place && { id: point.pointId })
  const input = { organizationId: organization.Id, documentId: document.id }
  const seal = place && {
    ...place,
    id: point.pointId,
    lines: [t('places.here'), point.name],
    isSigned: false,
  }
  const page = place?.page ?? 1
  // A place that was not chosen by pointing at it may be on a page out of view: scroll to it.
  const choose = (chosen: SealPlace) => {
    setPlace(chosen)
    setShown({ id: point.pointId })
  }
  return (
    <Modal
      opened
      onClose={props.onClose}
      size={860}
      title={t('places.dialog', { name: point.name })}
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <p className={classes.quiet}>{t('places.press')}</p>
      <Group my={12} align="flex-end">
        <NumberInput
          label={t('places.page')}
          size="md"
          w={120}
          min={1}
          max={pages ?? 1}
          disabled={pages === null}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          value={page}
          onChange={(typed) =>
            typeof typed === 'number' && choose({ ...(place ?? spotOf('foot-left')), page: typed })
          }
        />
        <Select
          label={t('places.spot')}
          size="md"
          data={spots.map((value) => ({
            value,
            label: find(`requests-sending:places.spots.${value}`) ?? value,
          }))}
          placeholder={t('places.spotNone')}
          value={spots.find((spot) => isAt(place, spot)) ?? null}
          onChange={(spot) => spot && choose({ ...spotOf(spot), page })}
        />
      </Group>
      <div className={classes.placing}>
        <FilePreview
          name={document.name}
          format={document.format}
          queryKey={[downloadDocument.path, input]}
          load={(signal) => fetchFile(downloadDocument, input, signal)}
          places={{
            marks: [],
            seals: seal ? [seal] : [],
            shown,
            isPointing: true,
            onPages: setPages,
            onOpen: () => {},
            onPick: ({ page: picked, area }) =>
              picked !== null && area && setPlace(placeAround(picked, area)),
          }}
        />
      </div>
      <Group mt={16} justify="flex-end">
        {props.place && (
          <Button variant="subtle" color="var(--bad)" onClick={() => props.onDone(null)}>
            {t('places.remove')}
          </Button>
        )}
        <Button variant="default" onClick={props.onClose}>
          {t('common:actions.cancel')}
        </Button>
        <Button disabled={place === null} onClick={() => props.onDone(place)}>
          {t('places.yes')}
        </Button>
      </Group>
    </Modal>
  )
}

function spotOf(spot: string): SealPlace {
  const [row, column] = spot.split('-') as [keyof typeof down, keyof typeof across]
  return { page: 1, left: across[column], top: down[row] }
}

function isAt(place: SealPlace | null, spot: string): boolean {
  const { left, top } = spotOf(spot)
  return place?.left === left && place.top === top
}

/** Centres the seal on the pressed spot, moved so that it stays within the page. */
function placeAround(page: number, { left, top, width, height }: Area): SealPlace {
  const inside = (at: number, most: number) => Math.min(most, Math.max(0, at))
  // Assumes a portrait sheet; on others the centre of the seal is slightly off the pressed spot.
  const high = sealWidth / sealRatio / Math.SQRT2
  return {
    page,
    left: inside(left + width / 2 - sealWidth / 2, 1 - sealWidth),
    top: inside(top + height / 2 - high / 2, 1 - high),
  }
}
