/** Starts a check from the page: one worker for each check, terminated with it. */
import type { Failure, FromWorker, ToWorker } from './check-messages.ts'
import type { Progress } from '@kelisim/signature/container/examine-files.ts'
import type { Report } from './report.ts'
import type { InputFile } from '@kelisim/signature/container/input-file.ts'

export type CheckListener = {
  onProgress: (progress: Progress) => void
  onReport: (report: Report) => void
  onFailure: (failure: Failure) => void
}

/** The first message ends the check. */
export function startCheck(files: InputFile[], listener: CheckListener): () => void {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
  const say = (message: ToWorker) => worker.postMessage(message)
  const end = () => worker.terminate()
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if ('progress' in data) listener.onProgress(data.progress)
    else if ('ask' in data) void answer(data.ask, data.pdf)
    else {
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

  async function answer(id: number, pdf: Blob): Promise<void> {
    const { pdfAttachments } = await import('../reading/pdf-attachments.ts')
    say({ answerTo: id, attachments: await pdfAttachments(pdf) })
  }
}
