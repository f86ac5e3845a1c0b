/** @import { BannerView, PhoneView } from '../src/wall/view.ts' */
import { askOrTell } from './calls.js'
import { KINDS, setOptions, WAYS } from './kinds.js'
import { made, newElement, setText, within } from './dom.js'

const SHORT_TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const LONG_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/**
 * Makes the element of a phone. Its buttons are those of `draw`.
 *
 * @param {number} id
 * @returns {HTMLElement}
 */
export function newPhone(id) {
  const element = made('phone-template')
  element.dataset['id'] = String(id)
  within(element, 'h3', HTMLElement).id = `phone-${id}`
  element.setAttribute('aria-labelledby', `phone-${id}`)
  element.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null
    const action = button?.dataset['action']
    if (!button || action === undefined || button.ariaDisabled === 'true') return
    const { banner } = button.dataset
    void askOrTell(`/simulator/phones/${id}/${action}`, banner === undefined ? {} : { banner: Number(banner) })
  })
  const kind = within(element, '.kind select', HTMLSelectElement)
  kind.addEventListener('change', () => void askOrTell(`/simulator/phones/${id}/kind`, { kind: kind.value }))
  return element
}

/**
 * Shows the state of a phone. Elements stay in place, so that the keyboard focus stays.
 *
 * @param {HTMLElement} element
 * @param {PhoneView} phone
 */
export function drawPhone(element, phone) {
  const { user, screen, platform, isOnline, hasApp } = phone
  const isWatched = phone.account === null
  element.dataset['platform'] = platform
  element.dataset['online'] = String(isOnline)
  element.ariaBusy = String(phone.isBusy)
  /** @param {string} selector */
  const part = (selector) => within(element, selector, HTMLElement)
  setText(part('h3'), phone.name)
  setText(
    part('.who'),
    user ? `${user.name}\n${user.email}` : isWatched ? 'Watched by its push token' : 'Nobody signed in',
  )
  drawKind(element, phone)
  setText(part('.signal'), isOnline ? 'Online' : phone.waiting > 0 ? `Offline · ${phone.waiting} waiting` : 'Offline')
  setText(part('.quiet'), phone.banners.length === 0 && !screen ? 'No notifications' : '')
  setText(part('.note'), phone.note ?? '')
  const hadFocus = part('.screen').contains(document.activeElement)
  drawBanners(part('.banners'), phone)
  drawApp(element, phone)
  const icon = part('.icon')
  icon.hidden = !hasApp || screen !== null
  icon.ariaLabel = `Open Swapbell on ${phone.name}${phone.badge > 0 ? `, badge ${phone.badge}` : ''}`
  // The count is no text, which a name for speech would have to repeat.
  part('.badge').dataset['count'] = phone.badge > 0 ? (phone.badge > 99 ? '99+' : String(phone.badge)) : ''
  drawControls(element, phone)
  if (hadFocus) passFocusOn(element)
}

/**
 * Gives the focus to what is on the screen now, when what had it is gone: the app, the next banner, or the icon.
 *
 * @param {HTMLElement} element
 */
function passFocusOn(element) {
  const active = document.activeElement
  if (active instanceof HTMLElement && element.contains(active) && active.checkVisibility()) return
  for (const selector of ['.app button', '.banners button', '.icon', '.controls button']) {
    const next = element.querySelector(selector)
    if (next instanceof HTMLElement && next.checkVisibility()) return next.focus()
  }
}

/** @param {HTMLElement} element @param {PhoneView} phone */
function drawKind(element, { kind, kinds, name, isOnline, hasApp }) {
  const select = within(element, '.kind select', HTMLSelectElement)
  const allowed = kinds.length > 0 ? kinds : [kind]
  setOptions(
    select,
    allowed.map((value) => ({ value, text: KINDS[value] })),
  )
  select.value = kind
  select.ariaLabel = `Pushes to ${name} come by`
  select.disabled = allowed.length === 1 || !isOnline || !hasApp
}

/** @param {HTMLElement} element @param {PhoneView} phone */
function drawApp(element, { screen, name }) {
  const app = within(element, '.app', HTMLElement)
  app.hidden = screen === null
  if (!screen) return
  setText(within(app, 'h4', HTMLElement), screen.heading)
  within(app, '.link', HTMLElement).hidden = screen.link === null
  setText(within(app, 'code', HTMLElement), screen.link ?? '')
  const text = screen.lines.join('\n')
  const lines = within(app, '.lines', HTMLElement)
  if (lines.dataset['text'] !== text) {
    lines.dataset['text'] = text
    lines.replaceChildren(...screen.lines.map((line) => newElement('p', line)))
  }
  within(app, 'button', HTMLElement).ariaLabel = `Home: close Swapbell on ${name}`
}

/** @param {HTMLElement} list @param {PhoneView} phone */
function drawBanners(list, phone) {
  list.hidden = phone.banners.length === 0 || phone.screen !== null
  list.ariaLabel = `Notifications on ${phone.name}`
  const known = new Map(
    [...list.children].map((child) => [child instanceof HTMLElement ? child.dataset['key'] : '', child]),
  )
  const wanted = phone.banners.map((banner) => known.get(String(banner.key)) ?? newBanner(banner, phone))
  for (const child of known.values()) if (!wanted.includes(child)) child.remove()
  for (const [index, element] of wanted.entries())
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null)
}

/** @param {BannerView} banner @param {PhoneView} phone */
function newBanner(banner, phone) {
  const element = made('banner-template')
  const title = banner.title ?? '(no title)'
  element.dataset['key'] = String(banner.key)
  /** @param {string} selector */
  const part = (selector) => within(element, selector, HTMLElement)
  const at = new Date(banner.time)
  const time = within(element, 'time', HTMLTimeElement)
  time.dateTime = at.toISOString()
  time.title = LONG_TIME.format(at)
  time.textContent = SHORT_TIME.format(at)
  setText(part('.way'), WAYS[banner.provider])
  part('.way').title = slotText(banner)
  setText(part('.headline'), title)
  setText(part('.body'), banner.body ?? '')
  setText(part('.chip'), chipText(banner))
  part('.chip').dataset['kind'] = banner.chip ?? ''
  for (const [selector, action] of [
    ['.tap', 'tap'],
    ['.dismiss', 'dismiss'],
  ]) {
    const button = part(selector ?? '')
    button.dataset['action'] = action ?? ''
    button.dataset['banner'] = String(banner.key)
  }
  part('.dismiss').ariaLabel = `Dismiss on ${phone.name}: ${title}`
  return element
}

/** What each provider calls the name under which another push takes the place. @param {BannerView} banner */
function slotText({ provider, slot }) {
  if (slot === null) return 'A banner of its own'
  const names = { expo: 'collapseId or tag', apns: 'apns-collapse-id', fcm: 'tag', web: 'tag' }
  return `${names[provider]}: ${slot}`
}

/** @param {BannerView} banner */
function chipText({ chip, copies }) {
  if (chip === 'same push again, merged') return `${copies} copies, one banner`
  if (chip === 'same push shown twice') return 'The same push, shown twice'
  return chip ? 'Replaced an earlier one' : ''
}

/** @param {HTMLElement} element @param {PhoneView} phone */
function drawControls(element, phone) {
  const { isOnline, hasApp, user, account } = phone
  const group = within(element, '.controls', HTMLElement)
  group.ariaLabel = `What happens to ${phone.name}`
  const [offline, sign, install, remove] = [...group.querySelectorAll('button')]
  if (!offline || !sign || !install || !remove) return
  offline.dataset['action'] = isOnline ? 'offline' : 'online'
  setText(offline, isOnline ? 'Go offline' : 'Go online')
  sign.dataset['action'] = user ? 'sign-out' : 'sign-in'
  setText(sign, user ? 'Sign out' : 'Sign in')
  setText(install, hasApp ? 'Reinstall' : 'Install')
  sign.hidden = install.hidden = account === null
  allow(sign, hasApp && isOnline)
  allow(remove, hasApp)
}

/**
 * A button that cannot be used now stays where the keyboard is.
 *
 * @param {HTMLElement} button
 * @param {boolean} isAllowed
 */
function allow(button, isAllowed) {
  button.ariaDisabled = String(!isAllowed)
}
