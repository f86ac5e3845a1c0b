import { LRUCache } from 'lru-cache'
import { pino, type DestinationStream, type LogFn, type Logger } from 'pino'
import { toErrorMessage } from './errors.ts'
import { createLogOutput } from './log-output.ts'

export type Log = Logger

const STANDARD_OUTPUT = 1

/**
 * `tokens`: the forms of push tokens, each up to the end of the JSON text that contains it. `about`: fields of every
 * line. `running`: those of what runs now. `now`: a clock that never jumps, in ms.
 */
type LogOptions = { tokens: readonly RegExp[]; about?: object; running?: () => object; now?: () => number }

/**
 * Push tokens are removed from every line; bodies and headers are never logged. A cause that fails again and again,
 * round after round, is told once a minute, with the number of lines that it was not told in.
 */
export function createLog(
  level: string,
  destination?: DestinationStream,
  { tokens, about, running, now = () => performance.now() }: LogOptions = { tokens: [] },
): Log {
  return pino(
    {
      level,
      base: about ?? null,
      ...(running && { mixin: running }),
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: (line) => withoutSecrets(line, tokens), logMethod: oncePerMinute(now) },
    },
    destination ?? createLogOutput(STANDARD_OUTPUT),
  )
}

const BEARER = /Bearer\s+[\w.~+/-]+=*/gi

// Our own lines are far shorter; an error that quotes its input may be longer.
const LINE_MOST = 65_536

function withoutSecrets(line: string, tokens: readonly RegExp[]): string {
  if (line.length > LINE_MOST) return tooLong(line)
  return tokens.reduce((left, form) => left.replace(form, '[push token]'), line).replace(BEARER, 'Bearer [token]')
}

function tooLong(line: string): string {
  const [, level = 'error'] = /^\{"level":"(\w+)"/.exec(line) ?? []
  const msg = `a line of ${line.length} characters was left out`
  return `${JSON.stringify({ level, time: new Date().toISOString(), msg })}\n`
}

const TOLD_EVERY_MS = 60_000
const CAUSES_MOST = 1_000
const FATAL = 60

type LogMethod = (this: Log, args: Parameters<LogFn>, method: LogFn, level: number) => void

/** Lines with an error, except those of a request: each of them is somebody's. */
function oncePerMinute(now: () => number): LogMethod {
  const logged = new LRUCache<string, { at: number; repeats: number }>({ max: CAUSES_MOST })
  return function tell(args, method, level) {
    const [fields, message] = args as [unknown, unknown]
    const cause = causeIn(fields)
    if (cause === undefined || level >= FATAL || 'request_id' in this.bindings()) return method.apply(this, args)
    const key = `${level} ${String(message)} ${cause}`
    const last = logged.get(key)
    if (last !== undefined && now() - last.at < TOLD_EVERY_MS) {
      last.repeats++
      return undefined
    }
    logged.set(key, { at: now(), repeats: 0 })
    const repeats = last?.repeats ?? 0
    return repeats === 0
      ? method.apply(this, args)
      : method.call(this, { ...(fields as object), repeats }, message as string)
  }
}

function causeIn(fields: unknown): string | undefined {
  if (typeof fields !== 'object' || fields === null || !('err' in fields)) return undefined
  const { err } = fields
  const { code } = Object(err) as { code?: unknown }
  return typeof code === 'string' ? code : toErrorMessage(err)
}
