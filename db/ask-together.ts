/**
 * Look-ups of many callers at once: those that come while others are underway share the next statement, because the way to the
 * database costs more than the answer. Nobody waits for others to come, and no answer is older than its question.
 */
import { isUnreachable } from './db.ts'

/** One is on its way while another is being answered. */
const mostUnderway = 2
const mostTogether = 100
/** Whatever takes longer, as behind a connection that broke silently, holds up nobody else. */
const longestTurnMs = 1000
/** Who is neither sent nor answered for so long is told to ask again later: as long as a connection is waited for. */
const longestWaitMs = 5000

/** Known as unreachable by its code, so that callers are refused as they are without a connection. */
class UnansweredError extends Error {
  readonly code = 'ETIMEDOUT'
}

/**
 * `ask` gives an answer for each question, in their order. It only reads: what hangs or loses its connection is asked once more in
 * another statement, and the first answer counts.
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

  /** After all that has arrived by now has been looked at. */
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

  /** Those who were answered or gave up meanwhile are passed over. */
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
      // Who is asked again waits for that answer, whatever became of the first.
      const isAskedAgain = isLost || turn.isOver()
      for (const { caller, isSecondTime } of asked)
        if (!isAskedAgain || isSecondTime) end(caller, () => caller.reject(error))
    } finally {
      turn.end()
    }
  }

  /** Before those who have waited for a shorter time. */
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
