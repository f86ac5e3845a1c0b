import Fastify from 'fastify'
import { Pool } from 'pg'

// The least that answers the inbox query over HTTP: no session, no validation, no envelope. Callers take turns.
const callers = Number(process.env['CALLERS'])
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 16 })
const app = Fastify()
const turn = { next: 0 }

app.get('/api/notification', async () => {
  turn.next = (turn.next % callers) + 1
  const { rows } = await pool.query(
    `with unread as (
      select distinct on (message_id) message_id, notification_id, is_send, is_delivered, is_open, attempts, error_message,
        settled_at, shown_at, dismissed_at, created_at
      from notifications
      where user_id = $1 and not is_open and deleted_at is null
      order by message_id desc, is_delivered is true desc, is_send desc, notification_id)
    select u.*, m.title, m.body, m.data, m.type, (select count(*) from unread) as unread
    from (select * from unread order by message_id desc limit 200) u
    join messages m on m.message_id = u.message_id
    order by u.message_id desc`,
    [turn.next],
  )
  return rows
})

const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true, url })
