import Fastify from 'fastify'
import { connect } from '../../server/src/platform/db/connect.ts'
import { PROFILE } from '../../server/src/administration/users/profile.queries.ts'
import { createLog } from '../../server/src/platform/shared/log.ts'

// The smallest program that answers the profile's query over HTTP: no session, no rights, no validation, no envelope.
const pool = connect(process.env['DATABASE_URL'] ?? '', { max: 16, log: createLog('warn') })
const app = Fastify()

app.get<{ Querystring: { id: string } }>('/api/admin/v1/user-profile', async (request) => {
  const { rows } = await pool.query({ name: 'profiles', text: PROFILE, values: [`{${request.query.id}}`, new Date()] })
  return rows[0]
})

const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true, url })
