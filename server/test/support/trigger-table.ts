import { TRIGGERS, type Facts } from '../../src/marketplace/events/events.ts'
import type { About } from '../../src/platform/tables/about.ts'
import { TEMPLATES } from '../../src/marketplace/texts/texts.ts'
import { SCREENS } from '../../src/platform/events/deep-links.ts'

const SWAP_STATUSES = [
  'pending',
  'countered',
  'accepted',
  'confirmed',
  'completed',
  'declined',
  'withdrawn',
  'expired',
  'cancelled',
  'disputed',
  'invalidated',
] as const

const STALE_WHEN: { readonly [Kind in About['kind']]: string } = {
  swap: 'the swap has another status',
  line: 'the line was read or deleted',
  join: 'the request was answered or withdrawn',
  people: 'one of the two has blocked the other',
}

/** Facts of each event that between them cause all of its texts; each kind of id has its own number. */
export const EXAMPLES: { [Name in keyof Facts]: Facts[Name][] } = {
  'swap.moved': SWAP_STATUSES.map((status) => ({
    swapId: 3,
    status,
    now: status === 'confirmed' ? 'accepted' : status,
    isUnanswered: false,
  })),
  'swap.message': [{ swapId: 3, messageId: 4 }],
  match: [{ productId: 5, userId: 6 }],
  'group.join_requested': [{ groupId: 7, userId: 6 }],
  'group.joined': [{ groupId: 7 }],
  'group.invited': [{ groupId: 7 }],
  'product.verified': [{ productId: 5 }],
  'product.refused': (['rejected', 'changes_requested'] as const).map((to) => ({
    productId: 5,
    to,
    reasonCode: 'other',
    message: '',
  })),
  'product.removed': [{ productId: 5 }, { productId: 5, message: '' }],
  'product.deleted': [{ productId: 5 }],
  'product.warned': [{ productId: 5 }, { productId: 5, message: '' }],
  'report.decided': (['actioned', 'dismissed'] as const).map((status) => ({ productId: 5, status })),
}

const UNTOLD = 'it is the end of a proposal of which the person was not told'

const HEADER = ['Event', '`data.event`', 'Who gets it', 'Text', 'A tap opens', 'Ids', 'Stale when', 'Merges with']

/** The page of docs/triggers.md, from the code: which event sends what to whom. */
export function triggerPage(): string {
  const names = Object.keys(TRIGGERS) as (keyof Facts)[]
  const rows = [HEADER, HEADER.map(() => '---'), ...names.map((name) => toRow(name, EXAMPLES[name]))]
  return [
    '# What triggers a push',
    '',
    '`npm test -- server/test/triggers.test.ts -u` makes this page from the code; do not edit it. Pushes are in the language of their receiver: ' +
      `${Object.keys(TEMPLATES).join(', ')}; English for all others. A push names records, and of people at most the one who acted, ` +
      'if the `sender_names` of the receiver allow it. Nobody gets a push ' +
      'about their own actions, or across a block, also one that was made while the push waits. Administrators send the fifth kind, `system`, with their own text: ' +
      '`POST /api/admin/send-system-notification`. Browsers of administrators get “' +
      `${TEMPLATES.en['staff.waiting'].text}” of a new alert or request for approval.`,
    '',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    ...listUntranslated(),
    '',
  ].join('\n')
}

/** The texts that a language lacks, which its readers get in English. */
function listUntranslated(): string[] {
  const missing = Object.entries(TEMPLATES).flatMap(([locale, texts]) =>
    Object.keys(TEMPLATES.en).flatMap((key) => (key in texts ? [] : [`\`${key}\` (${locale})`])),
  )
  return missing.length === 0 ? [] : ['', `In English until they are translated: ${missing.join(', ')}.`]
}

function toRow<Name extends keyof Facts>(name: Name, examples: Facts[Name][]): string[] {
  const { kind, recipientsInWords, push, quietMs } = TRIGGERS[name]
  const pushes = examples.map((facts) => push(facts))
  const keys = pushes.flatMap(({ text, named = text }) => [text, named])
  const texts = keys.map((key) => `${TEMPLATES.en[key].title}: ${TEMPLATES.en[key].text}`)
  const [first] = pushes
  if (first === undefined) throw new Error(`There is no example of ${name}.`)
  const { about, data, isEnd, mergeKey, place } = first
  const apart = quietMs === undefined ? '' : `; at most one in ${quietMs / 1_000} s, with their number`
  return [
    name,
    kind,
    recipientsInWords,
    [...new Set(texts)].join('<br>'),
    `\`${SCREENS[place.screen]}\``,
    toIds(data),
    [about === undefined ? 'never' : STALE_WHEN[about.kind], ...(isEnd === undefined ? [] : [UNTOLD])].join('; '),
    mergeKey === undefined ? 'nothing' : `earlier ones of \`${mergeKey.replace(/\d+/, '{id}')}\`${apart}`,
  ]
}

function toIds(data: Record<string, unknown>): string {
  const ids = Object.keys(data).filter((field) => field.endsWith('_id'))
  return ids.map((field) => `\`${field}\``).join(', ')
}
