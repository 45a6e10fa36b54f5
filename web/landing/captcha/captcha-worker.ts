/** Computes the proof of work of the captcha in a worker, so that the page stays responsive. */
import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

/** Null: it failed. */
export type Worked = string | null

globalThis.addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge: data, deriveKey }).then(
    (solution) => tell(solution ? btoa(JSON.stringify({ challenge: data, solution })) : null),
    () => tell(null),
  )
})

function tell(worked: Worked): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the page behind a worker has no origin to name
  globalThis.postMessage(worked)
}
