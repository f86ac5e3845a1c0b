// A slow ask keeps the others waiting this long; then the next begins beside it, up to four.
const PATIENCE_MS = 25
const AT_ONCE = 4

/** Questions that arrive while an ask runs share the next. `ask` answers in order, or fails for all its questions. */
export function gather<Question, Answer>(
  ask: (questions: Question[]) => Promise<Answer[]>,
  most: number,
  patienceMs = PATIENCE_MS,
): (question: Question) => Promise<Answer> {
  type Waiting = { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void }
  const waiting: Waiting[] = []
  let running = 0
  let isDue = false
  let patience: NodeJS.Timeout | undefined

  const begin = () => {
    if (isDue || waiting.length === 0 || running >= AT_ONCE) return
    isDue = true
    clearTimeout(patience)
    patience = undefined
    setImmediate(() => {
      isDue = false
      void run(waiting.splice(0, most))
      beginLater()
    })
  }

  const beginLater = () => {
    if (waiting.length > 0 && !isDue) patience ??= setTimeout(begin, patienceMs)
  }

  const run = async (batch: Waiting[]) => {
    running++
    try {
      const answers = await ask(batch.map(({ question }) => question))
      if (answers.length !== batch.length) throw new Error(`${batch.length} questions got ${answers.length} answers.`)
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    running--
    begin()
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      if (running === 0) begin()
      else beginLater()
    })
}
