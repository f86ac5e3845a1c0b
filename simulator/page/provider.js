/** @import { Mode } from '../src/wall/modes.ts' */
/** @import { TrafficLine } from '../src/wall/traffic.ts' */
/** @import { WallView } from '../src/wall/view.ts' */
import { askOrTell } from './calls.js'
import { byId, newElement, setText } from './dom.js'
import { WAYS } from './kinds.js'

/** @type {Record<Mode, { label: string; does: string; swapbell: string }>} */
const STORIES = {
  works: {
    label: 'Works',
    does: 'Each accepts every push and hands it to the phone.',
    swapbell:
      'Swapbell sends at the pace of each provider. Expo’s service gets batches and is asked for receipts some seconds later; Apple, Google and browsers’ makers get each push by itself and answer at once.',
  },
  slow: {
    label: 'Slow',
    does: 'Each answer takes 3 seconds.',
    swapbell:
      'Swapbell has several requests under way at once. Chats and swaps do not wait behind a campaign. Nothing is lost.',
  },
  'lost-answer': {
    label: 'Loses an answer',
    does: 'Expo’s accepts the next pushes, and then answers 504. The others accept one and cut the connection. After that they work again.',
    swapbell:
      'Swapbell cannot know whether they arrived: it counts them as unknown and sends them again after a minute, under the same identity. The phone merges both into one banner.',
  },
  silent: {
    label: 'Never answers',
    does: 'Nothing is accepted, and no request gets an answer.',
    swapbell:
      'Swapbell waits some seconds, and cannot know whether the pushes arrived: it counts them as unknown and tries again. Choose “Works” and watch them arrive, each as one banner.',
  },
  down: {
    label: 'Down',
    does: 'Each request is answered 503 (unavailable), and nothing is accepted.',
    swapbell:
      'After some failures in a row Swapbell opens its breaker and waits. It tries again by itself, at first after 15 seconds, later once a minute: choose “Works” and watch what waited arrive.',
  },
  'refuses-credentials': {
    label: 'Refuses credentials',
    does: 'Each request is refused for its key: by 401, or 403 where a provider says it so.',
    swapbell:
      'Swapbell stops the provider at once, raises an alert, and the others go on. Campaigns wait and lose nothing. Choose “Works”, then resume on the page Delivery.',
  },
  'dead-tokens': {
    label: 'Says every app is gone',
    does: 'Each push is refused: its app was deleted.',
    swapbell:
      'A few such devices are removed; tap the app on a phone to register it again. When very many are called gone at once, Swapbell takes it for a fault: it stops sending, raises an alert and brings the devices back. Choose “Works”, then resume on the page Delivery.',
  },
}

/**
 * Shows how the provider behaves, what it has counted and what it was asked.
 *
 * @param {WallView} view
 */
export function drawProvider(view) {
  drawModes(view)
  const { does, swapbell } = STORIES[view.mode]
  setText(byId('does', HTMLElement), does)
  setText(byId('swapbell', HTMLElement), swapbell)
  setText(byId('accepted', HTMLElement), view.totals.accepted.toLocaleString())
  setText(byId('duplicates', HTMLElement), view.totals.duplicates.toLocaleString())
  setText(byId('refused', HTMLElement), view.totals.refused.toLocaleString())
  drawTraffic(view.traffic)
}

/** @param {WallView} view */
function drawModes({ modes, mode }) {
  const group = byId('modes', HTMLElement)
  if (group.querySelector('input') === null) group.append(...modes.map(newMode))
  // A view from before a choice would take it back.
  if (group.hasAttribute('aria-busy')) return
  for (const input of group.querySelectorAll('input')) input.checked = input.value === mode
}

/** @param {Mode} mode */
async function chooseMode(mode) {
  const group = byId('modes', HTMLElement)
  group.setAttribute('aria-busy', 'true')
  await askOrTell('/simulator/mode', { mode })
  group.removeAttribute('aria-busy')
}

/** @param {Mode} mode */
function newMode(mode) {
  const label = document.createElement('label')
  const input = document.createElement('input')
  Object.assign(input, { type: 'radio', name: 'mode', value: mode })
  input.addEventListener('change', () => void chooseMode(mode))
  label.append(input, newElement('span', STORIES[mode].label))
  return label
}

/** @param {TrafficLine[]} lines */
function drawTraffic(lines) {
  const list = byId('traffic', HTMLElement)
  byId('no-traffic', HTMLElement).hidden = lines.length > 0
  const known = new Map(
    [...list.children].map((child) => [child instanceof HTMLElement ? child.dataset['id'] : '', child]),
  )
  list.replaceChildren(
    ...lines.toReversed().map((line) => {
      const item = known.get(String(line.id)) ?? newLine(line)
      setText(item.lastElementChild ?? item, sentence(line))
      return item
    }),
  )
}

/** @param {TrafficLine} line */
function newLine(line) {
  const item = document.createElement('li')
  item.dataset['id'] = String(line.id)
  item.dataset['kind'] = !isGood(line) || line.refused > 0 ? 'bad' : line.copies > 0 ? 'merged' : 'good'
  const time = newElement('time', new Date(line.time).toLocaleTimeString())
  time.dateTime = new Date(line.time).toISOString()
  item.append(time, newElement('span', ''))
  return item
}

/** @param {Pick<TrafficLine, 'answer'>} line */
function isGood({ answer }) {
  return answer === 200 || answer === 201
}

// No sender waits longer.
const LONGEST_MS = 60_000

/** @type {Partial<Record<TrafficLine['answer'], string>>} */
const ENDS = { cut: 'the connection was cut', silence: 'never answered' }

/** @param {TrafficLine} line */
function sentence({ provider, route, answer, waitMs, requests, accepted, copies, refused }) {
  const times = `${WAYS[provider]}: ${requests === 1 ? '' : `${requests} requests, `}`
  const what = route === 'getReceipts' ? 'receipts asked for' : sent(accepted, copies, refused)
  const late = waitMs > 0 ? `, answered after ${waitMs / 1000} s` : ''
  if (isGood({ answer })) return `${times}${what}${late}`
  if (waitMs > LONGEST_MS) return `${times}${what}, never answered`
  const end = ENDS[answer] ?? `answered ${answer}`
  return accepted > 0
    ? `${times}${what}, but ${end}${late}`
    : `${times}${route === 'send' ? 'nothing accepted' : what}, ${end}${late}`
}

/** @param {number} accepted @param {number} copies @param {number} refused */
function sent(accepted, copies, refused) {
  const parts = [`${accepted.toLocaleString()} accepted`]
  if (copies > 0) parts.push(`${copies.toLocaleString()} of them for the second time`)
  if (refused > 0) parts.push(`${refused.toLocaleString()} refused`)
  return parts.join(', ')
}
