import { once } from 'node:events'
import { Connection, type Client } from 'pg'

const CANCEL_MS = 2_000

/** Uses PostgreSQL's cancel protocol, which works through a pooler too; throws when it could not be sent. */
export async function cancelQuery(client: Client): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as unknown as Cancellable
  const connection = new Connection({ ssl, sslNegotiation } as object) as unknown as CancelConnection
  const ended = once(connection, 'end', { signal: AbortSignal.timeout(CANCEL_MS) })
  const cancel = () => connection.cancel(processID, secretKey)
  connection.on('connect', () => (ssl ? connection.requestSsl() : cancel()))
  connection.on('sslconnect', cancel)
  try {
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
    await ended
  } finally {
    connection.stream.destroy()
  }
}

type Cancellable = {
  host: string
  port: number
  ssl: unknown
  sslNegotiation: string
  processID: number
  secretKey: number
}

type CancelConnection = NodeJS.EventEmitter & {
  stream: { destroy(): void }
  connect(portOrPath: number | string, host?: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
}
