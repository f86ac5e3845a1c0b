// Everything that comes from a message goes into the page as text, never as markup.
/** @import { PhoneView, WallView } from '../src/wall/view.ts' */
import { startAdding } from './add.js'
import { showProblem } from './calls.js'
import { byId, newElement, setText, within } from './dom.js'
import { clearFilter, currentFilter, matches, startFilter } from './filter.js'
import { listReaches, setOptions } from './kinds.js'
import { drawPhone, newPhone } from './phone.js'
import { drawProvider } from './provider.js'

/** @type {Map<number, { phone: PhoneView; element: HTMLElement }>} */
const shown = new Map()

/** @type {WallView | undefined} */
let latest

startFilter(filterPhones)
startAdding()
within(byId('problem', HTMLElement), 'button', HTMLElement).addEventListener('click', () => showProblem(''))
setInterval(drawClocks, 10_000)
connect()

function connect() {
  const source = new EventSource('/simulator/events')
  source.addEventListener('open', () => showLink('live', 'Live'))
  source.addEventListener('error', () => {
    showLink('lost', 'The simulator does not answer. Trying again…')
    // A page that was refused does not reconnect automatically.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 3_000)
  })
  source.addEventListener('wall', (event) => take(JSON.parse(event.data)))
}

/** @param {string} state @param {string} text */
function showLink(state, text) {
  const link = byId('link', HTMLElement)
  link.dataset['state'] = state
  setText(link, text)
}

/** @param {WallView} view */
function take(view) {
  latest = view
  const before = view.all ? undefined : new Set(view.phones.flatMap(({ id }) => listKeys(shown.get(id)?.phone)))
  const kept = new Set(view.phones.map(({ id }) => id))
  for (const id of view.all ? shown.keys() : view.gone) {
    if (view.all && kept.has(id)) continue
    shown.get(id)?.element.remove()
    shown.delete(id)
  }
  for (const phone of view.phones) {
    const element = shown.get(phone.id)?.element ?? newPhone(phone.id)
    shown.set(phone.id, { phone, element })
    drawPhone(element, phone)
  }
  putInOrder()
  drawProvider(view)
  drawLinks(view)
  drawClocks()
  filterPhones()
  if (before) announce(view.phones, before)
}

function putInOrder() {
  const wall = byId('wall', HTMLElement)
  const ordered = [...shown].toSorted(([one], [other]) => one - other)
  for (const [index, [, { element }]] of ordered.entries())
    if (wall.children[index] !== element) wall.insertBefore(element, wall.children[index] ?? null)
}

/** @param {WallView} view */
function drawLinks({ api, kinds }) {
  byId('links', HTMLElement).hidden = api === null
  byId('add', HTMLElement).hidden = api === null
  setOptions(byId('new-reach', HTMLSelectElement), listReaches(kinds))
  byId('kind', HTMLElement).hidden = kinds.length === 1
  if (api === null) return
  byId('to-compose', HTMLAnchorElement).href = `${api}/notifications/new`
  byId('to-delivery', HTMLAnchorElement).href = `${api}/delivery`
  byId('to-panel', HTMLAnchorElement).href = `${api}/`
}

function filterPhones() {
  if (!latest) return
  const filter = currentFilter()
  let count = 0
  for (const { phone, element } of shown.values()) {
    element.hidden = !matches(phone, filter)
    if (!element.hidden) count++
  }
  setText(byId('count', HTMLElement), count === shown.size ? `${count}` : `${count} of ${shown.size}`)
  drawEmpty(count)
}

/** @param {number} count */
function drawEmpty(count) {
  const empty = byId('empty', HTMLElement)
  empty.hidden = count > 0
  const kind = shown.size > 0 ? 'filtered' : latest?.api === null ? 'alone' : 'none'
  if (empty.hidden || empty.dataset['kind'] === kind) return
  empty.dataset['kind'] = kind
  if (kind === 'alone') empty.replaceChildren('No push yet. Each push token that gets a message becomes a phone here.')
  else if (kind === 'none') empty.replaceChildren('No phone yet. Add one: it signs in by itself.')
  else {
    const button = newElement('button', 'Show all phones')
    button.addEventListener('click', () => {
      clearFilter()
      filterPhones()
      byId('search', HTMLElement).focus()
    })
    empty.replaceChildren('No phone matches. ', button)
  }
}

function drawClocks() {
  const now = new Date().toLocaleTimeString(undefined, { timeStyle: 'short' })
  for (const { element } of shown.values()) setText(within(element, '.clock', HTMLElement), now)
}

/** @param {PhoneView | undefined} phone */
function listKeys(phone) {
  return phone?.banners.map(({ key }) => key) ?? []
}

/**
 * Says once what came, however many phones got it.
 *
 * @param {PhoneView[]} phones
 * @param {Set<number>} before
 */
function announce(phones, before) {
  const rung = phones.filter(({ banners: [first] }) => first && !before.has(first.key))
  const [first] = rung
  if (!first) return
  const where = rung.length === 1 ? first.name : `${rung.length} phones`
  setText(byId('announcer', HTMLElement), `${where}: ${first.banners[0]?.title ?? 'a push without a title'}`)
}
