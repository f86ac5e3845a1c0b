import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { EVENT_KINDS } from '../src/platform/events/event-kinds.ts'
import { TEMPLATES } from '../src/marketplace/texts/texts.ts'
import { triggerPage } from './support/trigger-table.ts'

const PAGE = new URL('../../docs/triggers.md', import.meta.url).pathname

test('docs/triggers.md lists every trigger of the code', async () => {
  const options = await resolveConfig(PAGE)
  await expect(await format(triggerPage(), { ...options, filepath: PAGE })).toMatchFileSnapshot(PAGE)
})

test('docs/triggers.md has every kind of event, and every text', () => {
  const page = triggerPage()
  for (const kind of EVENT_KINDS) expect(page).toContain(`| ${kind} |`)
  for (const { text } of Object.values(TEMPLATES.en)) expect(page).toContain(text)
})
