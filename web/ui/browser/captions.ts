/** Captions of a video that are read out beside its picture instead of being drawn over it. */
export type Caption = { text: string; from: number }

/** Reports all captions once they are loaded, then the index of the current one; returns a function that stops it. */
export function followCaptions(
  track: HTMLTrackElement,
  tell: { all: (captions: Caption[]) => void; current: (index: number) => void },
): () => void {
  // Hidden tracks are loaded and fire events, disabled tracks do neither.
  track.track.mode = 'hidden'
  const cues = () => [...(track.track.cues ?? [])] as VTTCue[]
  const load = () => tell.all(cues().map(({ text, startTime }) => ({ text, from: startTime })))
  const change = () => {
    const active = track.track.activeCues?.[0]
    tell.current(active ? cues().findIndex(({ startTime }) => startTime === active.startTime) : -1)
  }
  if (cues().length > 0) load()
  track.addEventListener('load', load)
  track.track.addEventListener('cuechange', change)
  return () => {
    track.removeEventListener('load', load)
    track.track.removeEventListener('cuechange', change)
  }
}

export function clockOf(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
