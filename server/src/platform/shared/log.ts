import { pino, type DestinationStream, type Logger } from 'pino'
import { createLogOutput } from './log-output.ts'

export type Log = Logger

const STANDARD_OUTPUT = 1

/**
 * Makes the logger: one JSON line an event, UTC. Push tokens never pass, wherever they stand in a line; bodies and
 * headers are never logged at all.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutSecrets },
    },
    destination ?? createLogOutput(STANDARD_OUTPUT),
  )
}

// As far as the text in JSON goes that it stands in.
const PUSH_TOKEN = /Expo(?:nent)?PushToken\[(?:[^\]"\\]|\\.){0,300}\]?/g
// The other form of a push token is that of a UUID. Where we write one ourselves, the key says so.
const UUID = /(?<!"(?:request_id|job_id)":")(?<![a-z\d])[a-z\d]{8}-(?:[a-z\d]{4}-){3}[a-z\d]{12}(?![a-z\d])/gi
const BEARER = /Bearer\s+[\w.~+/-]+=*/gi

// No line of ours is near it; a fault that quotes what it was given may be.
const LINE_MOST = 65_536

function withoutSecrets(line: string): string {
  if (line.length > LINE_MOST) return tooLong(line)
  return line.replace(PUSH_TOKEN, '[push token]').replace(UUID, '[push token]').replace(BEARER, 'Bearer [token]')
}

/** What stays of a line that is too long to look through: that there was one, when, and of what level. */
function tooLong(line: string): string {
  const [, level = 'error'] = /^\{"level":"(\w+)"/.exec(line) ?? []
  const msg = `a line of ${line.length} characters was left out`
  return `${JSON.stringify({ level, time: new Date().toISOString(), msg })}\n`
}
