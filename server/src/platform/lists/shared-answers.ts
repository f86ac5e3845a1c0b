import type { FastifyReply } from 'fastify'
import { sharing } from '../concurrency/sharing.ts'

/** Concurrent equal requests share one query and one JSON text (ADR 13), which must not depend on the caller. */
export function sharedAnswers<Question, Answer extends object>(
  ask: (question: Question) => Promise<Answer>,
): (reply: FastifyReply, question: Question) => Promise<Answer> {
  const find = sharing(ask, (question: Question) => JSON.stringify(question))
  const texts = new WeakMap<object, string>()
  return async (reply, question) => {
    const answer = await find(question)
    const write = reply.getSerializationFunction('200')
    if (write === undefined) return answer
    reply.type('application/json; charset=utf-8').serializer((payload: object) => {
      // An answer with an addition for this caller is not the shared one.
      const text = texts.get(payload) ?? write(payload as Record<string, unknown>)
      texts.set(payload, text)
      return text
    })
    return answer
  }
}
