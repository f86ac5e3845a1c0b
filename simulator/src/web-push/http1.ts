import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { LOCALHOST } from '../http2/certificates.ts'
import type { PushReply, PushRequest } from './push.ts'

type Answer = (request: PushRequest) => Promise<PushReply>

/** TLS and HTTP/1.1, as a push service that speaks no HTTP/2. */
export async function startHttp1(port: number, answer: Answer) {
  // It takes no faults.
  const counts = { connections: 0, faults: 0, liedAbout: 0 }
  const server = createServer(LOCALHOST, (request, response) => void serve(request, response, answer))
  server.on('secureConnection', () => counts.connections++)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    counts: () => ({ ...counts }),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method = '', url: path = '', headers } = request
  const { status, headers: own = {}, body } = await answer({ method, path, headers, body: Buffer.concat(chunks) })
  response.writeHead(status, own).end(body)
}
