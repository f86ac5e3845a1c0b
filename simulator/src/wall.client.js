// Runs in the page. Everything from a message goes in as text, never as markup.
const MOST_PHONES = 60
const MOST_SHOWN = 4
/** Phones by key, the one with the latest push last. */
const phones = new Map()
const byId = (id) => document.getElementById(id)

const source = new EventSource('/simulator/events')
source.addEventListener('open', () => showLink('live'))
source.addEventListener('error', () => showLink('lost'))
source.addEventListener('reset', (event) => {
  phones.clear()
  byId('wall').replaceChildren()
  show(JSON.parse(event.data))
})
source.addEventListener('pushes', (event) => show(JSON.parse(event.data)))

function showLink(state) {
  byId('link').dataset.state = state
  byId('link').textContent = state
}

function show({ totals, pushes }) {
  const touched = new Set()
  for (const push of pushes) touched.add(arrive(push))
  for (const phone of touched) draw(phone)
  for (const [key, phone] of phones) {
    if (phones.size <= MOST_PHONES) break
    phone.element.remove()
    phones.delete(key)
  }
  byId('accepted').textContent = totals.accepted.toLocaleString()
  byId('duplicates').textContent = totals.duplicates.toLocaleString()
  byId('phones').textContent = String(phones.size)
  byId('empty').hidden = phones.size > 0
}

/** Puts a push on its phone as the phone would: one with the id of a shown one takes its place. */
function arrive(push) {
  const phone = phones.get(push.phone) ?? { pushes: [], element: newElement('phone') }
  phones.delete(push.phone)
  phones.set(push.phone, phone)
  phone.name = push.name
  const slot = push.collapseId ?? push.tag
  const replaced = slot === null ? undefined : phone.pushes.find((shown) => (shown.collapseId ?? shown.tag) === slot)
  const twin = phone.pushes.find(
    (shown) => push.notificationId !== null && shown.notificationId === push.notificationId,
  )
  phone.pushes = [
    { ...push, chip: chipFor(replaced, twin), fresh: true },
    ...phone.pushes.filter((shown) => shown !== replaced),
  ]
  phone.pushes.length = Math.min(phone.pushes.length, MOST_SHOWN)
  return phone
}

function chipFor(replaced, twin) {
  if (replaced && replaced === twin) return { kind: 'merged', text: 'double, merged into one' }
  if (twin) return { kind: 'double', text: 'double, shown twice' }
  return replaced ? { kind: 'newer', text: 'replaced an earlier one' } : null
}

function draw(phone) {
  phone.element.querySelector('h2').textContent = phone.name
  phone.element.querySelector('ol').replaceChildren(...phone.pushes.map(drawPush))
  byId('wall').prepend(phone.element)
}

function drawPush(push) {
  const element = newElement('push')
  element.classList.toggle('fresh', push.fresh)
  push.fresh = false
  const time = element.querySelector('time')
  const at = new Date(push.time)
  time.dateTime = at.toISOString()
  time.textContent = at.toLocaleTimeString() + (push.badge === null ? '' : ` · badge ${push.badge}`)
  element.querySelector('h3').textContent = push.title ?? '(no title)'
  element.querySelector('.body').textContent = push.body ?? ''
  const chip = element.querySelector('.chip')
  chip.hidden = push.chip === null
  chip.dataset.kind = push.chip?.kind ?? ''
  chip.textContent = push.chip?.text ?? ''
  return element
}

function newElement(template) {
  return byId(template).content.firstElementChild.cloneNode(true)
}
