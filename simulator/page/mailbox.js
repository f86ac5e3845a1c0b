import { byId, made, newElement, setText, within } from './dom.js'

const EVERY_MS = 2_000
const LINK = /(?:https?|[a-z][a-z0-9+.-]{1,20}):\/\/[^\s]{1,500}/

/** @typedef {{ id: number, at: string, to: string[], subject: string, text: string }} Mail */

const list = byId('mails', HTMLOListElement)
const empty = byId('no-mails', HTMLElement)
const mode = byId('mail-mode', HTMLSelectElement)
/** @type {Set<number>} */
const shown = new Set()

mode.addEventListener('change', () => void changeMode(mode.value))
await look()
setInterval(() => void look(), EVERY_MS)

/** Shows the mails that are new since the last look. */
async function look() {
  try {
    const response = await fetch('/simulator/mails')
    const { mode: now, mails } = /** @type {{ mode: string | null, mails: Mail[] }} */ (await response.json())
    mode.disabled = now === null
    if (document.activeElement !== mode && now !== null) mode.value = now
    for (const mail of mails.toReversed()) if (!shown.has(mail.id)) show(mail)
    setText(empty, now === null ? 'This simulator has no mailbox: SIM_MAIL_PORT is not set.' : 'No mails yet.')
    empty.hidden = shown.size > 0
  } catch {
    setText(empty, 'The simulator does not answer.')
    empty.hidden = false
  }
}

/** @param {string} wanted */
async function changeMode(wanted) {
  await fetch('/simulator/mails/mode', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ mode: wanted }),
  }).catch(() => undefined)
}

/** @param {Mail} mail */
function show(mail) {
  shown.add(mail.id)
  const item = made('mail-template')
  setText(within(item, 'h2', HTMLElement), mail.subject)
  setText(within(item, '.to', HTMLElement), `To ${mail.to.join(', ')}`)
  const time = within(item, 'time', HTMLTimeElement)
  time.dateTime = mail.at
  setText(time, new Date(mail.at).toLocaleTimeString())
  within(item, 'pre', HTMLElement).append(...splitLink(mail.text))
  list.prepend(item)
}

/**
 * The text with its first link as a link.
 *
 * @param {string} text
 * @returns {(string | Node)[]}
 */
function splitLink(text) {
  const found = LINK.exec(text)
  if (found === null || !/^(?:https?|swapbell):/.test(found[0])) return [text]
  const link = newElement('a', found[0])
  link.href = found[0]
  return [text.slice(0, found.index), link, text.slice(found.index + found[0].length)]
}
