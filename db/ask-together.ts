/**
 * Batches look-ups of concurrent callers: questions that arrive while statements are running share the next statement,
 * because the round trip costs more than the query. No question waits for a batch to fill, and no answer is older than
 * its question.
 */
import { isUnreachable } from './db.ts'

/** At most two statements run at once: one travels while the other is being answered. */
const mostUnderway = 2
const mostTogether = 100
/** A statement that takes longer (its connection may have broken silently) no longer blocks the next ones. */
const longestTurnMs = 1000
/** A caller without an answer for so long is told to retry later. The same as the timeout for getting a connection. */
const longestWaitMs = 5000

/** Its code counts as "unreachable", so callers get the same refusal as without a connection. */
class UnansweredError extends Error {
  readonly code = 'ETIMEDOUT'
}

/**
 * `ask` returns an answer for each question, in the same order. It must only read: a statement that hangs or loses its
 * connection is sent once more, and the first answer counts.
 */
export function askTogether<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  type Caller = {
    question: Question
    resolve: (answer: Answer) => void
    reject: (error: unknown) => void
    timeout: NodeJS.Timeout
    isDone: boolean
  }
  type Waiting = { caller: Caller; isSecondTime: boolean }
  const waiting: Waiting[] = []
  let underway = 0
  let isAboutToSend = false

  /** Sends after the current turn of the event loop, so that all questions that have just arrived go together. */
  const sendSoon = () => {
    if (isAboutToSend) return
    isAboutToSend = true
    setImmediate(sendWaiting)
  }

  const sendWaiting = () => {
    isAboutToSend = false
    if (underway === mostUnderway) return
    const next = takeNext()
    if (next.length === 0) return
    void send(next)
    sendWaiting()
  }

  /** Takes the next batch, without callers that were answered or gave up meanwhile. */
  const takeNext = (): Waiting[] => {
    const next: Waiting[] = []
    let seen = 0
    for (; seen < waiting.length && next.length < mostTogether; seen++) {
      const one = waiting[seen]!
      if (!one.caller.isDone) next.push(one)
    }
    waiting.splice(0, seen)
    return next
  }

  const send = async (asked: readonly Waiting[]) => {
    for (const { caller } of asked) caller.timeout.refresh()
    const again = () => askAgain(asked)
    const turn = takeTurn(again)
    try {
      const answers = await ask(asked.map(({ caller }) => caller.question))
      if (answers.length !== asked.length)
        throw new Error(`${asked.length} questions, ${answers.length} answers`)
      for (const [i, { caller }] of asked.entries()) end(caller, () => caller.resolve(answers[i]!))
    } catch (error) {
      const isLost = isUnreachable(error)
      if (isLost && !turn.isOver()) again()
      // A question that is sent again waits for the second answer, whatever the first statement returned.
      const isAskedAgain = isLost || turn.isOver()
      for (const { caller, isSecondTime } of asked)
        if (!isAskedAgain || isSecondTime) end(caller, () => caller.reject(error))
    } finally {
      turn.end()
    }
  }

  /** Puts unanswered questions first in the queue, before questions that have waited less. */
  const askAgain = (asked: readonly Waiting[]) => {
    const first = asked.filter(({ caller, isSecondTime }) => !isSecondTime && !caller.isDone)
    waiting.unshift(...first.map(({ caller }) => ({ caller, isSecondTime: true })))
  }

  const takeTurn = (onTooLong: () => void) => {
    underway++
    let isOver = false
    const end = () => {
      clearTimeout(timer)
      if (isOver) return
      isOver = true
      underway--
      sendSoon()
    }
    const timer = setTimeout(() => {
      onTooLong()
      end()
    }, longestTurnMs)
    return { end, isOver: () => isOver }
  }

  const end = (caller: Caller, tell: () => void) => {
    if (caller.isDone) return
    caller.isDone = true
    clearTimeout(caller.timeout)
    tell()
  }

  return (question) =>
    new Promise((resolve, reject) => {
      const giveUp = () =>
        end(caller, () =>
          reject(new UnansweredError(`a question was not answered for ${longestWaitMs / 1000} s`)),
        )
      const caller: Caller = {
        question,
        resolve,
        reject,
        timeout: setTimeout(giveUp, longestWaitMs),
        isDone: false,
      }
      waiting.push({ caller, isSecondTime: false })
      sendSoon()
    })
}
