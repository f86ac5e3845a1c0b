// Slow: many costly requests, or long data.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test as base } from '../../../test/support/app.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'
import { parseCsv, unescapeXml, unzip } from '../../../test/support/downloads.ts'
import { runExport } from './exports.ts'

const ADDRESS = '/api/admin/v1/users-export'
const FORMULAS = [
  '=HYPERLINK("http://x")',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '＝1',
  'a,b',
  'line\nfeed',
  'say "hi"',
  '; x',
]
const CONTROLS = 'bell\u0007 <b> & ]]> 🙂'
const test = base.extend<'admin', GivenUser>('admin', { scope: 'file' }, async ({ service }) => {
  for (const [n, name] of [...FORMULAS, CONTROLS].entries())
    await service.given.user({ name, email: `formula${n}@example.com` })
  return service.given.user({ role: 'super_admin' })
})

function exported(service: Service, { headers }: GivenUser, query = '') {
  return service.app.inject({ url: `${ADDRESS}${query}`, headers })
}

describe('An export of users', () => {
  test('is CSV with every user once, whose cells no spreadsheet runs', async ({ service, admin }) => {
    const answer = await exported(service, admin)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': expect.stringMatching(/^attachment; filename="users-\d{4}-\d\d-\d\d\.csv"$/),
      'x-content-type-options': 'nosniff',
      'x-total-rows': String(FORMULAS.length + 2),
    })
    const [header, ...rows] = parseCsv(answer.body)
    expect(header?.slice(0, 4)).toEqual(['id', 'username', 'email', 'name'])
    const names = rows.map((row) => row[3]!)
    expect(names).toEqual([
      ...FORMULAS.map((name) => (/^[=\-@\t\r＝]/.test(name) ? `'${name}` : name)),
      CONTROLS,
      admin.name,
    ])
    for (const row of rows) expect(row[11]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(answer.body).not.toContain('no password')
  })

  test('has the columns and the users that were asked for, after a byte order mark if wanted', async ({
    service,
    admin,
  }) => {
    const answer = await exported(service, admin, '?columns=name,id&search=FORMULA1%40example&bom=true')
    expect(answer.headers['x-total-rows']).toBe('1')
    expect(parseCsv(answer.body)).toEqual([
      ['\uFEFFname', 'id'],
      ['+1', expect.stringMatching(/^\d+$/)],
    ])
  })

  test('is one JSON object a line as NDJSON, and the envelope as JSON', async ({ service, admin }) => {
    const lines = await exported(service, admin, '?format=ndjson&columns=id,name,is_test_user,deleted_at')
    const users = lines.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(users[0]).toEqual({ id: expect.any(Number), name: FORMULAS[0], is_test_user: false, deleted_at: null })
    expect(users.map(({ name }) => name)).toEqual([...FORMULAS, CONTROLS, admin.name])
    const json = await exported(service, admin, '?format=json&columns=id,name,is_test_user,deleted_at')
    expect(json.json()).toEqual({ success: true, data: users, message: `${users.length} users` })
    const none = await exported(service, admin, '?format=json&search=nobody-at-all')
    expect(none.json()).toEqual({ success: true, data: [], message: '0 users' })
  })

  test('is a workbook whose cells are texts', async ({ service, admin }) => {
    const { rawPayload } = await exported(service, admin, '?format=xlsx&columns=id,name')
    const files = unzip(rawPayload)
    expect(Object.keys(files)).toContain('[Content_Types].xml')
    const sheet = files['xl/worksheets/sheet1.xml']!
    expect(sheet).not.toContain('<f>')
    const texts = [...sheet.matchAll(/<t xml:space="preserve">([^<]*)<\/t>/g)].map(([, cell]) => unescapeXml(cell!))
    expect(texts).toEqual([...FORMULAS, CONTROLS.replace('\u0007', ''), admin.name])
    expect(sheet.match(/<row>/g)).toHaveLength(FORMULAS.length + 3)
    const all = unzip((await exported(service, admin, '?format=xlsx')).rawPayload)['xl/worksheets/sheet1.xml']!
    expect(all.match(/<c[ >/]/g)).toHaveLength(14 * (FORMULAS.length + 3))
  })

  test.for(['format=pdf', 'columns=password_hash', 'columns=,', 'status=gone', 'deleted=maybe', 'bom=1'])(
    'with %s is refused, and names the field',
    async (query, { service, admin }) => {
      const answer = await exported(service, admin, `?${query}`)
      expect(answer.statusCode).toBe(422)
      expect(Object.keys(answer.json().errors)).toEqual([query.split('=')[0]])
    },
  )

  test.for(['start_date=0000-01-01', 'end_date=9999-12-31'])(
    'takes the ends of the calendar: %s',
    async (range, { service, admin }) => {
      const answer = await exported(service, admin, `?${range}`)
      expect([answer.statusCode, answer.headers['x-total-rows']]).toEqual([200, String(FORMULAS.length + 2)])
    },
  )

  test('leaves an entry in the audit log, without what was searched for', async ({ service, admin }) => {
    await exported(service, admin, '?search=Somebody%20by%20name&status=active')
    const log = await service.app.inject({
      url: '/api/admin/v1/audit-log?action=users.export&per_page=1',
      headers: admin.headers,
    })
    expect(log.json().data[0]).toMatchObject({
      actor: { user_id: admin.userId },
      after: { format: 'csv', rows: 0, filter: { statuses: ['active'], is_search: true } },
    })
    expect(log.body).not.toContain('Somebody')
  })

  test('stops its query when the client disconnects, and the next export runs', async ({ service, admin }) => {
    await service.given.crowd(60_000)
    await service.app.listen({ port: 0, host: '127.0.0.1' })
    for (let n = 0; n < 6; n++) {
      const answer = await download(service, admin, '?format=json')
      expect(answer.statusCode).toBe(200)
      await once(answer, 'readable')
      answer.destroy()
      await expect.poll(() => runningCopies(service)).toBe(0)
    }
    const whole = await download(service, admin, '?format=ndjson&columns=id')
    const lines = (await text(whole)).trimEnd().split('\n')
    expect(lines).toHaveLength(Number(whole.headers['x-total-rows']))
  })

  test('is 503 while four others run', async ({ service, admin }) => {
    const running = await Promise.all(Array.from({ length: 4 }, () => download(service, admin, '?format=json')))
    expect(running.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    expect(JSON.parse(await text(await download(service, admin, '?format=json')))).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
    for (const answer of running) answer.destroy()
    await expect.poll(() => runningCopies(service)).toBe(0)
  })

  test('leaves no connection open when its audit entry cannot be stored', async ({ service, admin }) => {
    await sql`alter table audit_head rename to away`.execute(service.deps.db)
    const answer = await exported(service, admin)
    await sql`alter table away rename to audit_head`.execute(service.deps.db)
    expect(answer.statusCode).toBe(500)
    await expect.poll(() => runningCopies(service)).toBe(0)
  })
})

describe('An export in the background', () => {
  test('is stored whole with its checksum, and fetched by a link without a token', async ({ service, admin }) => {
    const { app, deps } = service
    const accepted = await app.inject({
      method: 'POST',
      url: `${ADDRESS}?format=ndjson&columns=id,email`,
      headers: admin.headers,
    })
    expect(accepted.statusCode).toBe(202)
    const { id } = accepted.json().data as { id: number }
    expect(await readStatus(service, admin, id)).toMatchObject({
      status: 'queued',
      rows: null,
      sha256: null,
      download: null,
    })

    await runExport(deps, id, AbortSignal.timeout(60_000))
    await runExport(deps, id, AbortSignal.timeout(60_000))
    const done = await readStatus(service, admin, id)
    expect(done).toMatchObject({ status: 'done', rows: expect.any(Number), error: null })
    const file = await app.inject({ url: done.download!.url })
    expect(file.statusCode).toBe(200)
    expect(file.rawPayload).toHaveLength(done.bytes)
    expect(file.rawPayload.length).toBeGreaterThan(1_048_576)
    expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(done.sha256)
    expect(file.body.trimEnd().split('\n')).toHaveLength(done.rows!)

    expect((await app.inject({ url: (await readStatus(service, admin, id)).download!.url })).statusCode).toBe(200)
  })

  test('that fails says so, and starts again after its process died', async ({ service, admin }) => {
    const { app, deps } = service
    const accepted = await app.inject({ method: 'POST', url: ADDRESS, headers: admin.headers })
    const { id } = accepted.json().data as { id: number }
    await expect(runExport(deps, id, AbortSignal.abort(new Error('the process ends')))).rejects.toThrow('process ends')
    expect(await readStatus(service, admin, id)).toMatchObject({ status: 'running', download: null })
    await sql`update exports set columns = '{gone}' where export_id = ${id}`.execute(deps.db)
    await runExport(deps, id, AbortSignal.timeout(60_000))
    expect(await readStatus(service, admin, id)).toMatchObject({ status: 'failed', download: null })
  })

  test('is unknown after a day', async ({ service, admin }) => {
    const { app } = service
    const accepted = await app.inject({ method: 'POST', url: ADDRESS, headers: admin.headers })
    await service.clock.setTime(service.clock.now() + 24 * 3_600_000)
    const { userId } = admin
    const { token } = await service.deps.sessions.open({ userId })
    const answer = await app.inject({
      url: `${ADDRESS}/${accepted.json().data.id}`,
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.statusCode).toBe(404)
  })
})

type Status = {
  status: string
  rows: number | null
  bytes: number
  sha256: string | null
  download: { url: string } | null
}

async function readStatus({ app }: Service, { headers }: GivenUser, id: number): Promise<Status> {
  const answer = await app.inject({ url: `${ADDRESS}/${id}`, headers })
  expect(answer.statusCode).toBe(200)
  return answer.json().data as Status
}

/** The answer over a connection of its own, as its head arrives. */
async function download({ app }: Service, { headers }: GivenUser, query: string): Promise<IncomingMessage> {
  const asking = get(`${app.listeningOrigin}${ADDRESS}${query}`, { headers, agent: false })
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.on('error', () => undefined)
  return answer
}

async function runningCopies({ deps }: Service): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from pg_stat_activity where datname = current_database() and query like 'copy (%'`.execute(
    deps.db,
  )
  return rows[0]!.n
}
