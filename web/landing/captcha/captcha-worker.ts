/** Computes the proof of work of the captcha in a worker, so that the page stays responsive. */
import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

/** Null: the computation failed. */
export type ProofOfWork = string | null

globalThis.addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  solveChallenge({ challenge: data, deriveKey }).then(
    (solution) => send(solution ? btoa(JSON.stringify({ challenge: data, solution })) : null),
    () => send(null),
  )
})

function send(proof: ProofOfWork): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the page behind a worker has no origin to name
  globalThis.postMessage(proof)
}
