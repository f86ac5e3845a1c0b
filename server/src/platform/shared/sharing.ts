/** Callers who ask while an answer is being made share the next one, so no answer is older than its question. */
export function sharing<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string,
): (question: Question) => Promise<Answer> {
  type Run = { answer: Promise<Answer>; next: Promise<Answer> | undefined }
  const running = new Map<string, Run>()

  const begin = (key: string, question: Question): Promise<Answer> => {
    const run: Run = { answer: ask(question), next: undefined }
    running.set(key, run)
    const end = () => {
      if (run.next === undefined) running.delete(key)
    }
    run.answer.then(end, end)
    return run.answer
  }

  return (question) => {
    const key = keyOf(question)
    const run = running.get(key)
    if (run === undefined) return begin(key, question)
    const follow = () => begin(key, question)
    run.next ??= run.answer.then(follow, follow)
    return run.next
  }
}
