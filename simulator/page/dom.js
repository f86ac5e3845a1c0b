/**
 * Finds the element with an id; the page has each of them.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  return checked(document.getElementById(id), kind, id)
}

/**
 * Finds the first element within another.
 *
 * @template {Element} T
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T}
 */
export function within(parent, selector, kind) {
  return checked(parent.querySelector(selector), kind, selector)
}

/**
 * Makes an element from a template.
 *
 * @param {string} template
 * @returns {HTMLElement}
 */
export function made(template) {
  const { content } = byId(template, HTMLTemplateElement)
  return checked(content.firstElementChild?.cloneNode(true), HTMLElement, template)
}

/**
 * Sets the text of an element. A text that has not changed is left alone, so that nothing is read out again.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text
}

/**
 * Makes an element with a text.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} text
 */
export function newElement(tag, text) {
  const element = document.createElement(tag)
  element.textContent = text
  return element
}

/**
 * @template T
 * @param {unknown} found
 * @param {new () => T} kind
 * @param {string} name
 * @returns {T}
 */
function checked(found, kind, name) {
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} ${name}`)
  return found
}
