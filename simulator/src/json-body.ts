import type { IncomingMessage, ServerResponse } from 'node:http'
import { isString } from './json.ts'
import { readText } from './request-body.ts'

/** The parsed body; throws a TypeError, which is answered with 400, when it is not JSON. `ifEmpty` is for no body. */
export async function readJson(request: IncomingMessage, ifEmpty?: unknown): Promise<unknown> {
  const text = await readText(request)
  if (!isString(text)) throw new TypeError(`The body cannot be read: ${text.code}`)
  if (text === '' && ifEmpty !== undefined) return ifEmpty
  try {
    return JSON.parse(text)
  } catch {
    throw new TypeError('The body must be JSON')
  }
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(value) + '\n')
}

export function sendProblem(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: message })
}
