// For CI: every route, called by everybody or in many ways.
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import type { Role } from '../src/platform/tables/tables.ts'
import { test } from './support/all-routes.ts'
import { givenWorld } from './support/calls.ts'
import { createChance, listOperations, requestFor, type Known } from './support/fuzz.ts'
import { createAnswerCheck, readDocument } from './support/openapi.ts'
import type { Service } from './support/service.ts'

const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 20_000)
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121)
const PARALLEL = 8

describe('the API', () => {
  test(
    `answers ${REQUESTS} hostile requests (seed ${SEED}) as it is documented, and never with a 500`,
    { timeout: 600_000 + REQUESTS * 100 },
    async ({ service }) => {
      const document = await readDocument(service.app)
      const operations = listOperations(document, [])
      const check = createAnswerCheck(document)
      const known = await readKnown(service)
      const callers = await createCallers(service)
      const chance = createChance(SEED)
      const wrong: string[] = []
      const statuses: Record<string, number> = {}
      let sent = 0

      const sendSome = async () => {
        while (sent < REQUESTS && wrong.length < 20) {
          const request = requestFor(chance, operations[sent++ % operations.length]!, known)
          const caller = chance.pick(callers)
          if (request.path.endsWith('/progress')) await endCampaigns(service)
          const answer = await service.app.inject({
            method: request.method as 'GET',
            url: request.url,
            headers: { ...request.headers, ...(await caller.headers()) },
            ...(request.payload !== undefined && { payload: request.payload }),
          })
          caller.heard(answer.statusCode)
          statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1
          const type = answer.headers['content-type'] ?? ''
          const body: unknown = type.startsWith('application/json') ? answer.json() : undefined
          const isElsewhere = /"error":"(?:This address does not exist|The address cannot be read)\."/.test(answer.body)
          const route = { method: request.method, url: request.path }
          const faults = isElsewhere ? [] : check(route, { statusCode: answer.statusCode, type, body })
          if (answer.statusCode >= 500) faults.push(`is a ${answer.statusCode}: ${answer.body.slice(0, 200)}`)
          for (const fault of faults)
            wrong.push(
              `${request.method} ${request.url.slice(0, 300)} ${request.payload?.slice(0, 300) ?? ''}: ${fault}`,
            )
        }
      }
      await Promise.all(Array.from({ length: PARALLEL }, sendSome))

      expect(wrong).toEqual([])
      expect(({} as { x?: unknown }).x).toBeUndefined()
      expect(await usersTable(service)).toBe('users')
      // Some passed, and some were refused by each check: the requests are neither all good nor all bad.
      for (const status of [200, 401, 403, 404, 422])
        expect.soft(statuses[status] ?? 0, String(status)).toBeGreaterThan(REQUESTS / 1_000)
    },
  )
})

type Caller = { headers(): Promise<Record<string, string>>; heard(status: number): void }

// How often a caller gets its role and its account back, whatever the requests did to them.
const RENEWED_EVERY = 50

/** Nobody, a user and administrators; each has a session again when a request has ended it. */
async function createCallers({ given, deps }: Service): Promise<Caller[]> {
  const signedIn = async (role: Role): Promise<Caller> => {
    const { userId } = await given.user({ role, devices: [{}] })
    let calls = 0
    let token: Promise<string> | undefined
    const renew = async () => {
      await sql`update users set status = 'active', role = ${role}, deleted_at = null where user_id = ${userId}`.execute(
        deps.db,
      )
      deps.sessions.forget(userId)
      return (await deps.sessions.open({ userId })).token
    }
    return {
      headers: async () => {
        if (calls++ % RENEWED_EVERY === 0) token = undefined
        token ??= renew()
        return { authorization: `Bearer ${await token}` }
      },
      heard: (status) => {
        if (status === 401) token = undefined
      },
    }
  }
  const nobody: Caller = { headers: async () => ({}), heard: () => undefined }
  const roles = ['user', 'user', 'analyst', 'moderator', 'admin', 'super_admin', 'super_admin'] as const
  return [nobody, ...(await Promise.all(roles.map(signedIn)))]
}

/** Ids and texts that mean something to the service. */
async function readKnown(service: Service): Promise<Known> {
  const world = await givenWorld(service)
  const people = await Promise.all(Array.from({ length: 5 }, () => service.given.user({ devices: [{}] })))
  return {
    ids: [...numbersIn(world), ...people.map((person) => person.userId)],
    words: [
      'ada',
      'a',
      'x'.repeat(12),
      'Europe/Berlin',
      'Asia/Kathmandu',
      '2026-03-29',
      '2026-11-01',
      '2026-03-29T01:30:00Z',
      ...people.map((person) => person.email),
    ],
  }
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

/** The progress of a campaign that runs is told until it ends, and no worker is here to end it. */
async function endCampaigns({ deps }: Service): Promise<void> {
  await sql`update messages set status = 'stopped' where status in ('queued', 'sending', 'paused')`.execute(deps.db)
}

async function usersTable({ deps }: Service): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select to_regclass('users')::text as name`.execute(deps.db)
  return rows[0]?.name
}
