import { LRUCache } from 'lru-cache'
import { gather } from './gather.ts'

const QUESTIONS = 1_000
// An answer takes a statement or more; who waits for a slow one gets one beside it (ADR 035).
const PATIENCE_MS = 5

/** Those who ask while an answer is on its way share the next one, so none is older than its question. */
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
