import Fastify from 'fastify'
import { connect } from '../../server/src/platform/db/connect.ts'
import { unreadStatement } from '../../server/src/push/inbox/inbox.queries.ts'
import { createLog } from '../../server/src/platform/shared/log.ts'

// Answers the inbox query over HTTP with the least code: no session, no validation, no envelope. Callers take turns.
const callers = Number(process.env['CALLERS'])
const pool = connect(process.env['DATABASE_URL'] ?? '', { max: 16, log: createLog('warn') })
const app = Fastify()
const turn = { next: 0 }

app.get('/api/notification', async () => {
  turn.next = (turn.next % callers) + 1
  const { rows } = await pool.query(unreadStatement(pool, turn.next, 200))
  return rows
})

const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true, url })
