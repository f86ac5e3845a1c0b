import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

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
    destination ?? pino.destination({ fd: 1, sync: false }),
  )
}

const PUSH_TOKEN = /Expo(?:nent)?PushToken\[[^\]]*\]?/g
const BEARER = /Bearer\s+[\w.~+/-]+=*/gi

function withoutSecrets(line: string): string {
  return line.replace(PUSH_TOKEN, '[push token]').replace(BEARER, 'Bearer [token]')
}
