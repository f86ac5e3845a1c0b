import { LRUCache } from 'lru-cache'
import { gather } from './gather.ts'

const QUESTIONS = 1_000
// When an answer takes longer, the next query begins beside it for those who wait (ADR 13).
const PATIENCE_MS = 5

/** Callers who ask while a query runs share the next one, so no answer is older than its question. */
export function sharing<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string,
): (question: Question) => Promise<Answer> {
  const askers = new LRUCache<string, (question: Question) => Promise<Answer>>({ max: QUESTIONS })
  const once = async (questions: Question[]) => {
    const answer = await ask(questions[0]!)
    return questions.map(() => answer)
  }
  return (question) => {
    const key = keyOf(question)
    const asker = askers.get(key) ?? gather(once, Infinity, PATIENCE_MS)
    askers.set(key, asker)
    return asker(question)
  }
}
