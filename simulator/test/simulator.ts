import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { startSimulator, type Simulator } from '../src/server.ts'
import type { SimulatorOptions } from '../src/settings.ts'

/** A simulator on a free port with immediate receipts; it is closed when the test ends. */
export async function simulatorFor(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ port: 0, receiptDelayMs: 0, ...options })
  onTestFinished(() => simulator.close())
  return simulator
}

/** A ticket or a receipt, whichever fields it has. */
type Outcome = {
  status: string
  id: string
  message: string
  details: { error: string; expoPushToken?: string }
}

/** The answer: the text, and the parts of its JSON. */
export type Reply = {
  status: number
  headers: Headers
  text: string
  json: unknown
  /** `data` of a send: a list, or the only ticket in a list. */
  tickets: Outcome[]
  /** `data` of a getReceipts. */
  receipts: Record<string, Outcome>
  /** The code of the first of `errors`. */
  code: string | undefined
  /** The text of a control route's refusal. */
  problem: string | undefined
}

/** Calls a URL; strings and bytes are sent as they are, anything else as JSON. */
export async function call(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body:
      body === undefined ? null : typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  })
  const text = await response.text()
  const json = parsed(text)
  const data = json?.data
  return {
    status: response.status,
    headers: response.headers,
    text,
    json,
    tickets: Array.isArray(data) ? data : [data],
    receipts: data,
    code: json?.errors?.[0]?.code,
    problem: json?.error,
  }
}

export async function send(
  simulator: Pick<Simulator, 'url'>,
  body: unknown,
  headers?: Record<string, string>,
): Promise<Reply> {
  return call(`${simulator.url}/--/api/v2/push/send`, 'POST', body, headers)
}

export async function getReceipts(
  simulator: Simulator,
  ids: string[],
  headers?: Record<string, string>,
): Promise<Reply> {
  return call(`${simulator.url}/--/api/v2/push/getReceipts`, 'POST', { ids }, headers)
}

/** A body as gzip, with the header that says so. */
export function zipped(body: unknown): [Buffer, Record<string, string>] {
  return [gzipSync(JSON.stringify(body)), { 'content-encoding': 'gzip' }]
}

/** A list of `count` messages to tokens of their own, each with a notification id. */
export function messages(count: number): { to: string; title: string; data: { notification_id: string } }[] {
  return Array.from({ length: count }, (_, index) => ({
    to: `ExponentPushToken[phone-${index}]`,
    title: `Offer ${index}`,
    data: { notification_id: `n-${index}` },
  }))
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
