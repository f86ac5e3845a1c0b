import { byId, setText, within } from './dom.js'

/**
 * Asks the simulator to do something. Returns undefined, or a sentence about what went wrong.
 *
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<string | undefined>}
 */
export async function ask(path, body = {}) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (response.ok) return undefined
    const { error } = await response.json()
    return typeof error === 'string' ? error : `The simulator answered with status ${response.status}.`
  } catch {
    return 'The simulator does not answer.'
  }
}

/**
 * Asks, and shows what went wrong at the top of the page.
 *
 * @param {string} path
 * @param {unknown} [body]
 */
export async function askOrTell(path, body) {
  showProblem((await ask(path, body)) ?? '')
}

/** @param {string} text Empty: there is none. */
export function showProblem(text) {
  const element = byId('problem', HTMLElement)
  setText(within(element, 'span', HTMLElement), text)
  element.hidden = text === ''
}
