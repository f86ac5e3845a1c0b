import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'

// Linux admits one connection more to a backlog than its size; to a third one it does not answer until there is room.
const BACKLOG = 1

const CODE = `
  const { createServer } = require('node:http')
  const { parentPort, workerData } = require('node:worker_threads')
  const server = createServer((request, response) => {
    Atomics.add(workerData.shared, 1, 1)
    request.resume().on('end', () => response.end(JSON.stringify({ data: [{ status: 'ok', id: 'ticket-1' }] })))
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: workerData.backlog }, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(workerData.shared, 0, 0)
  })`

/**
 * A provider whose backlog is full: no connection to it is made until it opens. Then one that has waited is made when
 * its first packet is repeated, after a second. It answers every request with one ticket.
 */
export async function startFullServer() {
  // Whether it is open, and its requests: a message of the thread may come later than its answer.
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(CODE, { eval: true, workerData: { backlog: BACKLOG, shared } })
  const [port] = (await once(worker, 'message')) as [number]
  const fillers = await Promise.all(
    Array.from({ length: BACKLOG + 1 }, async () => {
      const filler = connect(port, '127.0.0.1')
      filler.on('error', () => undefined)
      await once(filler, 'connect')
      return filler
    }),
  )
  const open = () => {
    Atomics.store(shared, 0, 1)
    Atomics.notify(shared, 0)
  }
  return {
    url: `http://127.0.0.1:${port}`,
    open,
    requests: () => Atomics.load(shared, 1),
    close: async () => {
      open()
      for (const filler of fillers) filler.destroy()
      await worker.terminate()
    },
  }
}
