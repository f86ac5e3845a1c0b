import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Api } from './client.ts'
import { openLoop } from './open-loop.ts'
import type { Bench, Part } from './setup.ts'

export type ExportFigures = {
  rows: number
  seconds: number
  copySeconds: number
  /** The process grew by so much. */
  grewMegabytes: number
  /** The administrator's profile answered within this time; it was asked 50 times a second meanwhile. */
  apiP99: number
}

const COLUMNS = `user_id, username, email, name, role, status, is_test_user, email_verified_at is not null, phone, city,
  last_active_at, created_at, updated_at, deleted_at`

/** A CSV of all users over HTTP, against COPY of the same columns as they are, both read to the end and thrown away. */
export async function measureExport(bench: Bench, web: Part, api: Api): Promise<ExportFigures> {
  await copy(bench.url)
  const copySeconds = await copy(bench.url)
  const before = residentMegabytes(web.pid)
  const first = await download(web, api)
  const { rows, seconds, peak } = await download(web, api)
  const calls = [{ path: '/api/admin/v1/user-profile', headers: { authorization: `Bearer ${api.token}` } }]
  const meanwhile = openLoop(web.url, calls, { perSecond: 50, seconds: Math.max(2, Math.ceil(seconds)) })
  await download(web, api)
  const { p99 } = await meanwhile
  return { rows, seconds, copySeconds, grewMegabytes: Math.max(0, first.peak - before, peak - before), apiP99: p99 }
}

async function copy(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  // The export reads in the same way.
  await client.query('set jit = off')
  const startedAt = performance.now()
  const stream = client.query(
    copyTo(`copy (select ${COLUMNS} from users order by user_id) to stdout (format csv, header)`),
  )
  for await (const chunk of stream) void chunk
  const seconds = (performance.now() - startedAt) / 1_000
  await client.end()
  return seconds
}

async function download({ url, pid }: Part, { token }: Api): Promise<{ rows: number; seconds: number; peak: number }> {
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, residentMegabytes(pid))), 50)
  const startedAt = performance.now()
  const answer = await fetch(`${url}/api/admin/v1/users-export?deleted=include`, {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok) throw new Error(`The export answered ${answer.status}: ${await answer.text()}`)
  let lines = -1
  for await (const chunk of answer.body!) for (const byte of chunk as Uint8Array) if (byte === 0x0a) lines++
  clearInterval(watch)
  const rows = Number(answer.headers.get('x-total-rows'))
  if (lines !== rows) throw new Error(`The export has ${lines} lines instead of ${rows}.`)
  return { rows, seconds: (performance.now() - startedAt) / 1_000, peak }
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1_024)
}
