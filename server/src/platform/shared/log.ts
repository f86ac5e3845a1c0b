import { pino, type DestinationStream, type Logger } from 'pino'
import { createLogOutput } from './log-output.ts'

export type Log = Logger

const STANDARD_OUTPUT = 1

/** Push tokens are removed from every line; bodies and headers are never logged. `running`: fields of every line. */
export function createLog(level: string, destination?: DestinationStream, running?: () => object): Log {
  return pino(
    {
      level,
      base: null,
      ...(running && { mixin: running }),
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutSecrets },
    },
    destination ?? createLogOutput(STANDARD_OUTPUT),
  )
}

// Up to the end of the JSON text that contains it.
const PUSH_TOKEN = /Expo(?:nent)?PushToken\[(?:[^\]"\\]|\\.){0,300}\]?/g
// A push token may also be a UUID. The UUIDs that we log ourselves have known keys.
const UUID = /(?<!"(?:request_id|job_id)":")(?<![a-z\d])[a-z\d]{8}-(?:[a-z\d]{4}-){3}[a-z\d]{12}(?![a-z\d])/gi
const BEARER = /Bearer\s+[\w.~+/-]+=*/gi

// Our own lines are far shorter; an error that quotes its input may be longer.
const LINE_MOST = 65_536

function withoutSecrets(line: string): string {
  if (line.length > LINE_MOST) return tooLong(line)
  return line.replace(PUSH_TOKEN, '[push token]').replace(UUID, '[push token]').replace(BEARER, 'Bearer [token]')
}

function tooLong(line: string): string {
  const [, level = 'error'] = /^\{"level":"(\w+)"/.exec(line) ?? []
  const msg = `a line of ${line.length} characters was left out`
  return `${JSON.stringify({ level, time: new Date().toISOString(), msg })}\n`
}
