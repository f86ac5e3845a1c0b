import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { EVENT_KINDS } from '../src/platform/events/event-kinds.ts'
import { TEMPLATES } from '../src/marketplace/texts/texts.ts'
import { TRIGGERS, type Facts, type Push } from '../src/marketplace/events/events.ts'
import { EXAMPLES, triggerPage } from './support/trigger-table.ts'

const PAGE = new URL('../../docs/triggers.md', import.meta.url).pathname

test('docs/triggers.md lists every trigger of the code', async () => {
  const options = await resolveConfig(PAGE)
  await expect(await format(triggerPage(), { ...options, filepath: PAGE })).toMatchFileSnapshot(PAGE)
})

test('docs/triggers.md has every kind of event, and every text', () => {
  const page = triggerPage()
  for (const kind of EVENT_KINDS) expect(page).toContain(`| ${kind} |`)
  for (const [key, { title, text }] of Object.entries(TEMPLATES.en))
    expect(page).toContain(key === 'staff.waiting' ? text : `${title}: ${text}`)
})

test.for(Object.keys(TRIGGERS) as (keyof Facts)[])('the push of %s carries the ids of what it is about', (name) => {
  const push: (facts: never) => Push = TRIGGERS[name].push
  for (const facts of EXAMPLES[name]) {
    const known: Record<string, unknown> = facts
    const { data, place } = push(facts as never)
    const ids = Object.entries(data).filter(([field]) => field.endsWith('_id'))
    expect(ids).toEqual(ids.map(([field]) => [field, known[toFact(field)]]))
    expect(ids).not.toEqual([])
    if ('id' in place) expect(ids.map(([, id]) => id)).toContain(place.id)
  }
})

/** `transaction_id` is what the app calls the id of a swap. */
function toFact(field: string): string {
  return field === 'transaction_id' ? 'swapId' : field.replace(/_id$/, 'Id')
}
