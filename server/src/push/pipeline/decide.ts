import { must } from '../../platform/shared/must.ts'
import { addCopies, end, type NewCopy } from '../ledger/ledger.ts'
import type { Ready } from './claim.ts'
import type { Person, Phone } from './people.queries.ts'
import { skip, type Plan } from '../ledger/plan.ts'
import type { DueWork } from '../ledger/work.queries.ts'

type How = {
  personOf: (userId: number) => Person
  /** Who sends now; undefined: nobody. */
  provider: string | undefined
  /** The code with which the copies end at once. */
  endsWith?: string
}

/**
 * Makes a copy for each phone of users who may be notified, and notes why the others get none (spec: sending
 * rules 2 and
 * 3). Copies of another provider wait for it as work of their own, with attempts of their own (ADR 036).
 */
export function decide(plan: Plan, work: DueWork, { personOf, provider, endsWith }: How): Ready[] {
  const ledger = plan.ledger(work.batchId)
  const phones: (NewCopy & { phone: Phone })[] = []
  for (const owner of work.places) {
    const userId = must(ledger.userIds[owner], 'user of a batch')
    const person = personOf(userId)
    const reason = whyNot(person, work)
    if (reason !== null) skip(plan, work, [owner], reason)
    else {
      plan.entries.push({
        userId,
        messageId: work.messageId,
        madeAt: work.message_at,
        isBulk: work.audience !== 'users',
      })
      for (const phone of person.phones) phones.push({ ...phone, owner, phone })
    }
  }
  if (phones.length === 0) return []
  plan.changed.push(work.batchId)
  const places = addCopies(ledger, phones, plan.now)
  if (endsWith !== undefined) for (const place of places) end(ledger, place, endsWith, plan.now)
  if (endsWith !== undefined) return []
  const copies = phones.map(({ phone }, n) => ({ work, place: must(places[n], 'place of a copy'), phone }))
  const elsewhere = copies.filter(({ phone }) => phone.provider !== provider)
  for (const [other, waiting] of Map.groupBy(elsewhere, ({ phone }) => phone.provider))
    plan.later.push({
      batchId: work.batchId,
      messageId: work.messageId,
      provider: other,
      places: waiting.map(({ place }) => place),
      dueAt: plan.now,
    })
  return copies.filter(({ phone }) => phone.provider === provider)
}

function whyNot(person: Person, { needs_opt_in }: DueWork) {
  if (person.barred !== null) return person.barred
  if (needs_opt_in && !person.isOptedIn) return 'opted_out' as const
  if (person.phones.length > 0) return null
  return person.hasPhone ? ('signed_out' as const) : ('no_device' as const)
}
