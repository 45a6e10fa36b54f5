/** Does the work of a captcha beside the page, which stays as quick as it was. */
import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

/** Null: it could not be done. */
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
