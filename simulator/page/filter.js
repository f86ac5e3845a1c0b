/** @import { PhoneView } from '../src/wall/view.ts' */
import { byId } from './dom.js'

/** @typedef {{ q: string; platform: string; kind: string; state: string }} Filter */

/** Takes the filter from the address, so that a reload keeps it, and calls `changed` after each change.
 *
 * @param {() => void} changed
 */
export function startFilter(changed) {
  const parameters = new URLSearchParams(location.search)
  const fields = findFields()
  for (const [name, field] of Object.entries(fields)) {
    field.value = parameters.get(name) ?? ''
    // A value that the list does not have.
    if (field.value === '') field.value = ''
    field.addEventListener('input', () => {
      keepInAddress()
      changed()
    })
  }
  byId('filter', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault())
}

/** @returns {Filter} */
export function currentFilter() {
  const { q, platform, kind, state } = findFields()
  return { q: q.value.trim().toLowerCase(), platform: platform.value, kind: kind.value, state: state.value }
}

/** Shows all phones again. */
export function clearFilter() {
  for (const field of Object.values(findFields())) field.value = ''
  keepInAddress()
}

/** @param {PhoneView} phone @param {Filter} filter */
export function matches(phone, { q, platform, kind, state }) {
  if (platform !== '' && phone.platform !== platform) return false
  // Apple’s has two kinds.
  if (kind !== '' && !phone.kind.startsWith(kind)) return false
  if (state === 'banners' && phone.banners.length === 0) return false
  if (state === 'offline' && phone.isOnline) return false
  if (state === 'out' && phone.user !== null) return false
  return q === '' || toSearchText(phone).includes(q)
}

/** @param {PhoneView} phone */
function toSearchText({ name, user, account, token, banners }) {
  const texts = [name, user?.name, user?.email, account, token, ...banners.flatMap(({ title, body }) => [title, body])]
  return texts.join('\n').toLowerCase()
}

function findFields() {
  return {
    q: byId('search', HTMLInputElement),
    platform: byId('platform', HTMLSelectElement),
    kind: byId('kind', HTMLSelectElement),
    state: byId('state', HTMLSelectElement),
  }
}

function keepInAddress() {
  const chosen = Object.entries(currentFilter()).filter(([, value]) => value !== '')
  const query = new URLSearchParams(chosen).toString()
  history.replaceState(null, '', query === '' ? location.pathname : `?${query}`)
}
