/** Starts a check from the page: one worker for each check, terminated with it. */
import type { Failure, FromWorker, PageQuestion, ToWorker } from './check-messages.ts'
import type { Progress } from '@kelisim/signature/container/group.ts'
import type { Report } from './report.ts'
import type { InputFile } from '@kelisim/signature/container/input-file.ts'

export type CheckListener = {
  onProgress: (progress: Progress) => void
  onReport: (report: Report) => void
  onFailure: (failure: Failure) => void
}

/** Stores in this browser what a check without a network needs. */
export function remember(): void {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', () => worker.terminate())
  worker.addEventListener('error', () => worker.terminate())
  const message: ToWorker = { remember: new Date() }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  worker.postMessage(message)
}

/** The first message ends the check. */
export function startCheck(files: InputFile[], listener: CheckListener): () => void {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  const say = (message: ToWorker) => worker.postMessage(message)
  const end = () => worker.terminate()
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if ('progress' in data) listener.onProgress(data.progress)
    else if ('ask' in data) void answer(data)
    else if (!('remembered' in data)) {
      end()
      if ('report' in data) listener.onReport(data.report)
      else listener.onFailure(data.failure)
    }
  })
  worker.addEventListener('error', () => {
    end()
    listener.onFailure('broken')
  })
  say({ check: files, at: new Date() })
  return end

  async function answer({ ask, pdf, wanted }: PageQuestion): Promise<void> {
    try {
      if (wanted === 'attachments') {
        const { pdfAttachments } = await import('../reading/pdf-attachments.ts')
        say({ answerTo: ask, files: await pdfAttachments(pdf.blob) })
      } else {
        const { pdfPages } = await import('../reading/pdf-pages.ts')
        const onPage = (done: number, total: number) =>
          listener.onProgress({ file: pdf.name, done, total: 2 * total })
        say({ answerTo: ask, files: await pdfPages(pdf.blob, onPage) })
      }
    } catch {
      // The check fails: a PDF that could not be read must not be called unsigned.
      end()
      listener.onFailure('broken')
    }
  }
}
