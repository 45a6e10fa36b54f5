/** Frames of a screen as one WebM file: encoded by the browser that drew them, muxed here with an index for seeking. */
import type { Page } from '@playwright/test'

/** A JPEG and its time since the beginning, in milliseconds. */
export type Frame = { at: number; jpeg: string }
type Chunk = { at: number; isKey: boolean; bytes: Buffer }

const size = { width: 1280, height: 720 } as const
/** The longest distance between key frames. */
const keyEvery = 5000

export async function toWebm(page: Page, frames: readonly Frame[], length: number): Promise<Buffer> {
  const encoded = await page.evaluate(encode, {
    frames: withStills(frames, length),
    size,
    keyEvery,
    bitrate: 350_000,
  })
  return mux(
    encoded.map(({ at, isKey, data }) => ({ at, isKey, bytes: Buffer.from(data, 'base64') })),
    length,
  )
}

/** The browser reports changes only; a still frame is repeated, so that the encoder makes it sharp. */
function withStills(frames: readonly Frame[], length: number): Frame[] {
  return frames.flatMap((frame, i) => {
    const next = frames[i + 1]?.at ?? length
    const again = [200, 400, 800, 1600].map((after) => frame.at + after).filter((at) => at < next - 100)
    return [frame, ...again.map((at) => ({ at, jpeg: frame.jpeg }))]
  })
}

/** Runs in the page. */
async function encode(job: {
  frames: Frame[]
  size: { width: number; height: number }
  keyEvery: number
  bitrate: number
}): Promise<{ at: number; isKey: boolean; data: string }[]> {
  const made: { at: number; isKey: boolean; data: string }[] = []
  const encoder = new VideoEncoder({
    output(chunk) {
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      let binary = ''
      for (const byte of bytes) binary += String.fromCharCode(byte)
      made.push({ at: chunk.timestamp / 1000, isKey: chunk.type === 'key', data: btoa(binary) })
    },
    error(fault) {
      throw fault
    },
  })
  encoder.configure({
    codec: 'vp09.00.31.08',
    ...job.size,
    bitrate: job.bitrate,
    latencyMode: 'quality',
    bitrateMode: 'variable',
  })
  let nextKey = 0
  for (const { at, jpeg } of job.frames) {
    const bytes = Uint8Array.from(atob(jpeg), (sign) => sign.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }), {
      resizeWidth: job.size.width,
      resizeHeight: job.size.height,
      resizeQuality: 'high',
    })
    const frame = new VideoFrame(bitmap, { timestamp: Math.round(at * 1000) })
    const isKey = at >= nextKey
    if (isKey) nextKey = at + job.keyEvery
    encoder.encode(frame, { keyFrame: isKey })
    frame.close()
    bitmap.close()
    if (encoder.encodeQueueSize > 8) await encoder.flush()
  }
  await encoder.flush()
  encoder.close()
  return made
}

/** Makes a still image in display size of a frame, small enough for a slow connection. */
export async function toPoster(page: Page, jpeg: string): Promise<Buffer> {
  const made = await page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }), {
      resizeWidth: 960,
      resizeHeight: 540,
      resizeQuality: 'high',
    })
    const canvas = document.createElement('canvas')
    canvas.width = 960
    canvas.height = 540
    canvas.getContext('2d')!.drawImage(bitmap, 0, 0)
    return canvas.toDataURL('image/jpeg', 0.7)
  }, jpeg)
  return Buffer.from(made.slice(made.indexOf(',') + 1), 'base64')
}

/** Identifiers of Matroska elements (RFC 9559), as far as a silent video needs them. */
const id = {
  ebml: 0x1a45dfa3,
  ebmlVersion: 0x4286,
  ebmlReadVersion: 0x42f7,
  ebmlMaxIdLength: 0x42f2,
  ebmlMaxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  codecId: 0x86,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cuePositions: 0xb7,
  cueTrack: 0xf7,
  cuePosition: 0xf1,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const

function mux(chunks: readonly Chunk[], length: number): Buffer {
  const header = element(id.ebml, [
    number(id.ebmlVersion, 1),
    number(id.ebmlReadVersion, 1),
    number(id.ebmlMaxIdLength, 4),
    number(id.ebmlMaxSizeLength, 8),
    text(id.docType, 'webm'),
    number(id.docTypeVersion, 4),
    number(id.docTypeReadVersion, 2),
  ])
  const duration = Buffer.alloc(8)
  duration.writeDoubleBE(length)
  const info = element(id.info, [
    number(id.timestampScale, 1_000_000),
    element(id.duration, [duration]),
    text(id.muxingApp, 'Kelisim'),
    text(id.writingApp, 'Kelisim'),
  ])
  const tracks = element(id.tracks, [
    element(id.track, [
      number(id.trackNumber, 1),
      number(id.trackUid, 1),
      number(id.trackType, 1),
      text(id.codecId, 'V_VP9'),
      element(id.video, [number(id.pixelWidth, size.width), number(id.pixelHeight, size.height)]),
    ]),
  ])
  const clusters = clustersOf(chunks)
  // The cues come before the clusters and contain their offsets, so their own length must not depend on those.
  const cuesAt = (first: number) => {
    let place = first
    return element(
      id.cues,
      clusters.map(({ at, bytes }) => {
        const position = element(id.cuePositions, [number(id.cueTrack, 1), number(id.cuePosition, place, 4)])
        place += bytes.length
        return element(id.cuePoint, [number(id.cueTime, at, 4), position])
      }),
    )
  }
  const before = info.length + tracks.length
  const cues = cuesAt(before + cuesAt(0).length)
  return Buffer.concat([
    header,
    element(id.segment, [info, tracks, cues, ...clusters.map(({ bytes }) => bytes)]),
  ])
}

/** A cluster for each key frame, with the frames that depend on it. */
function clustersOf(chunks: readonly Chunk[]): { at: number; bytes: Buffer }[] {
  const groups: Chunk[][] = []
  for (const chunk of chunks) {
    if (chunk.isKey) groups.push([chunk])
    else groups.at(-1)!.push(chunk)
  }
  return groups.map((group) => {
    const at = Math.round(group[0]!.at)
    const blocks = group.map((chunk) => {
      const head = Buffer.from([0x81, 0, 0, chunk.isKey ? 0x80 : 0])
      head.writeInt16BE(Math.round(chunk.at) - at, 1)
      return element(id.simpleBlock, [head, chunk.bytes])
    })
    return { at, bytes: element(id.cluster, [number(id.timestamp, at), ...blocks]) }
  })
}

function element(name: number, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const name4 = Buffer.alloc(4)
  name4.writeUInt32BE(name)
  const prefix = Buffer.alloc(8)
  // Always eight bytes of length, so that offsets do not change with the values.
  prefix.writeBigUInt64BE(BigInt(length) | (1n << 56n))
  return Buffer.concat([name4.subarray(name4.findIndex((byte) => byte !== 0)), prefix, ...parts])
}

function number(
  name: number,
  value: number,
  bytes = Math.max(1, Math.ceil(Math.log2(value + 1) / 8)),
): Buffer {
  const content = Buffer.alloc(bytes)
  content.writeUIntBE(value, 0, bytes)
  return element(name, [content])
}

function text(name: number, value: string): Buffer {
  return element(name, [Buffer.from(value)])
}
