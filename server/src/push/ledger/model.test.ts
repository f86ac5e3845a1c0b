// Slow: random histories, or many who do the same at once.
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../../../test/support/campaign.ts'
import { callAll, claimEach } from '../../../test/support/attempt.ts'
import { commitWork, commitWorkBy } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import {
  addPhone,
  planReceipts,
  purge,
  reactOnPhone,
  retain,
  sendToTestUsers,
} from '../../../test/support/ledger-acts.ts'
import { toExpected } from '../../../test/support/ledger-expected.ts'
import * as acts from '../../../test/support/ledger-model-acts.ts'
import * as ledger from '../../../test/support/ledger-model.ts'
import type { Faults, LedgerModel, ModelPerson, PlannedReceipt } from '../../../test/support/ledger-model.ts'
import { readActual } from '../../../test/support/ledger-actual.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { HOMES, startEach } from '../../../test/support/ledger-services.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { countHomes } from '../../platform/db/homes.ts'
import { createHandlers } from '../../handlers.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { changePreferences } from '../../identity/settings/preferences.ts'
import { archiveEntry, readEntry, readUpTo } from '../inbox/reading.ts'
import { stopMessage } from '../messages/control.ts'
import type { Answered, Claim } from '../pipeline/claim.ts'
import { settle } from '../pipeline/settle.ts'
import { doubtUnsent } from '../status/restored.ts'

// `npm run faults` asks for more.
const RUNS = Number(process.env['MODEL_RUNS'] ?? 30)
const PEOPLE = 4
const DAY_MS = 86_400_000
const { signal } = new AbortController()

let service: Service
let services: Map<number, Service>
let close: () => Promise<void>
beforeAll(async () => ({ services, close } = await startEach()))
afterAll(() => close())

const ACTS =
  'send send campaign everyone everyone deliver deliver deliver wait wait receipts receipts open read read read archive show phone lose out in quiet quiet morning stop purge doubt forget forget late late retain'.split(
    ' ',
  )

type Step = {
  act: string
  who: number
  pick: number
  faults: ('later' | 'never' | undefined)[]
  receipts: PlannedReceipt[]
}

const six = { minLength: 6, maxLength: 6 }
const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom(...ACTS),
  who: fc.nat(PEOPLE - 1),
  pick: fc.nat(1_000),
  faults: fc.array(fc.constantFrom(undefined, undefined, 'later', 'never'), six),
  receipts: fc.array(fc.constantFrom('delivered', 'delivered', 'undelivered', 'missing'), six),
})

type World = {
  users: GivenUser[]
  people: ModelPerson[]
  model: LedgerModel
  tokens: Map<number, string>
  /** Answers that a worker did not store. */
  late: { settle: () => Promise<unknown>; forgotten: ledger.Forgotten }[]
}

test.each(HOMES)('after any history in %i homes tables and counters are what a plain list says', async (homes) => {
  service = services.get(homes)!
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      const world = await givenWorld()
      for (const one of steps) {
        // Messages of one millisecond have no order, because connections draw ids ahead.
        await service.clock.tick(1)
        planReceipts(service, world, one.receipts)
        await take(world, one)
        expect(await readActual(service, world)).toEqual(toExpected(world.model, world.people))
      }
      await finish(world)
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
})

/** Four people at night, of whom one sleeps and one has two phones. */
async function givenWorld(): Promise<World> {
  const { clock, deps, given } = service
  await clock.setTime((Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS + 23 * 3_600_000)
  await deps.db.updateTable('users').set({ is_test_user: false }).execute()
  const users: GivenUser[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const devices = n === 0 ? [{}, { platform: 'ios' as const }] : n === 3 ? [] : [{}]
    users.push(await given.user({ devices, isTestUser: true }))
  }
  const [asleep, at] = [users[1]!, new Date()]
  await deps.db
    .insertInto('push_preferences')
    .values({ user_id: asleep.userId, muted: [], quiet_start: 1_320, quiet_end: 420, created_at: at, updated_at: at })
    .execute()
  const people = users.map((user) => ({
    userId: user.userId,
    deviceIds: user.devices.map(({ id }) => id),
    isOptedIn: true,
    isAsleep: user === asleep,
    isGone: false,
  }))
  const tokens = new Map(users.flatMap(({ devices }) => devices.map(({ id, token }) => [id, token])))
  return { users, people, model: ledger.createModel(people, countHomes(service.deps.db)), tokens, late: [] }
}

async function take(world: World, { act, who, pick, faults }: Step): Promise<void> {
  const { deps, clock } = service
  const { users, people, model } = world
  const [user, person] = [users[who]!, people[who]!]
  const message = model.messages[pick % Math.max(1, model.messages.length)]
  const entries = ledger.listEntries(model, person)
  const entry = entries[pick % Math.max(1, entries.length)]
  const of = { userId: person.userId, messageId: entry?.message.messageId ?? 0 }
  if (act === 'send' || act === 'campaign') {
    const chosen = people.filter((one, n) => !one.isGone && (n === who || pick & (1 << n)))
    if (chosen.length === 0) return
    const id = await send(
      service,
      users.filter((_, n) => chosen.includes(people[n]!)),
      { promotional: act === 'campaign' },
    )
    const now = clock.now()
    const expiresAt = now + deps.config.MESSAGE_TTL_SECONDS * 1_000
    ledger.addMessage(model, { messageId: id, isCampaign: act === 'campaign', people: chosen, now, expiresAt })
  } else if (act === 'everyone') {
    const messageId = await sendToTestUsers(service)
    const now = clock.now()
    const expiresAt = now + deps.config.MESSAGE_TTL_SECONDS * 1_000
    ledger.addMessage(model, { messageId, isCampaign: true, people: undefined, now, expiresAt })
  } else if (act === 'deliver') await deliver(world, faults)
  else if (act === 'wait') await clock.tick(61_000)
  else if (act === 'receipts') await receive(world)
  else if (act === 'open' && entry) {
    await commitWork(deps, readEntry, of)
    acts.open(model, person, entry.message)
  } else if (act === 'read' && entry) {
    // Twice, because a mark that moves back shows only where a person has a mark.
    for (const { message: last } of [entry, entries[(pick >> 5) % entries.length]!]) {
      await commitWork(deps, readUpTo, { userId: person.userId, messageId: last.messageId })
      acts.readUpTo(model, person, last)
    }
  } else if (act === 'archive' && entry) {
    await commitWork(deps, archiveEntry, of)
    acts.archive(model, person, entry.message)
  } else if (act === 'phone' && !person.isGone) await addPhone(service, world, { user, person })
  else if (act === 'lose' && person.deviceIds.length > 0) {
    const id = person.deviceIds.pop()
    await service.app.inject({ method: 'DELETE', url: `/api/v1/devices/${id}`, headers: user.headers })
  } else if (act === 'out' || act === 'in') {
    person.isOptedIn = act === 'in'
    const setting = deps.db.updateTable('user_settings').set({ setting_value: person.isOptedIn ? '1' : '0' })
    await setting.where('user_id', '=', person.userId).execute()
  } else if (act === 'quiet' && !person.isGone) {
    const quiet_hours = person.isAsleep ? null : { start: '22:00', end: '07:00' }
    const by = { ...THE_SERVICE, userId: person.userId }
    await commitWorkBy(by, deps, changePreferences, { ...deps, change: { quiet_hours } })
    acts.changeQuietHours(model, person, clock.now())
  } else if (act === 'morning') await clock.setTime(Math.ceil(clock.now() / DAY_MS) * DAY_MS + 8 * 3_600_000)
  else if (act === 'stop' && message && acts.isRunning(message)) {
    await commitWork(deps, stopMessage, message.messageId)
    acts.stop(model, message, clock.now())
  } else if (act === 'forget' && message && acts.isRunning(message)) await forget(world, message)
  else if (act === 'late') {
    const late = world.late.pop()
    await late?.settle()
    ledger.storeLate(late?.forgotten ?? [])
  } else if (act === 'purge' && pick % 4 === 0 && !person.isGone) await purge(service, world, person)
  else if (act === 'show') await reactOnPhone(service, world, { user, person, pick })
  else if (act === 'retain') {
    const before = await toMonthAfterNext()
    await deliver(world, [])
    world.late = []
    await retain(service, world, { before, runs: 1 + (pick % 2) })
  } else if (act === 'doubt') {
    await doubtUnsent(deps)
    acts.doubt(model)
  }
}

/** Gives the beginning of the next month. */
async function toMonthAfterNext(): Promise<number> {
  const now = new Date(service.clock.now())
  const monthOn = (months: number, day: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)
  await service.clock.setTime(monthOn(2, 5))
  return monthOn(1, 1)
}

async function deliver({ model, people, tokens }: World, faults: Step['faults']): Promise<void> {
  const now = service.clock.now()
  const ids = people.flatMap(({ deviceIds }) => deviceIds)
  const planned: Faults = new Map(
    ids.flatMap((id, n) => (faults[n % faults.length] ? [[id, faults[n % faults.length]!]] : [])),
  )
  const ticketErrors = Object.fromEntries(
    [...planned].map(([id, fault]) => [tokens.get(id)!, fault === 'later' ? 'MessageRateExceeded' : 'MessageTooBig']),
  )
  service.simulator.script([{ match: 'send', ticketErrors, times: 1_000 }])
  await drain(service)
  service.simulator.clearScript()
  ledger.deliver(model, { now, isNight: isNight(now) }, planned)
}

async function forget({ model, late }: World, message: LedgerModel['messages'][number]): Promise<void> {
  const { clock, deps } = service
  const now = clock.now()
  const answered = new Map<Claim, Answered[]>()
  for (const claim of await claimEach(service, message.messageId)) answered.set(claim, await callAll(service, claim))
  await clock.tick(61_000)
  await sweep(deps)
  const forgotten = ledger.forget(model, message, { now, isNight: isNight(now), later: clock.now() })
  const settleAll = () => Promise.all(Array.from(answered, ([claim, answers]) => settle(deps, claim, answers)))
  late.push({ settle: settleAll, forgotten })
}

function isNight(now: number): boolean {
  const hour = new Date(now).getUTCHours()
  return hour >= 22 || hour < 7
}

async function receive({ model }: World): Promise<void> {
  await createHandlers(service.deps)['fetch-receipts']({ limit: 1_000, dueOnly: false }, signal)
  ledger.receive(model, service.clock.now())
}

/** Nothing of this history waits for the next. */
async function finish({ model }: World): Promise<void> {
  for (const message of model.messages.filter(acts.isRunning))
    await commitWork(service.deps, stopMessage, message.messageId)
}
