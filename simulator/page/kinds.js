/** @import { Kind, Platform, Provider } from '../src/wall/push.ts' */

/** Who brings a push. @type {Record<Provider, string>} */
export const WAYS = { expo: 'Expo', apns: 'Apple', fcm: 'Google', web: 'Web Push' }

/** @type {Record<Kind, string>} */
export const KINDS = {
  expo: 'Expo',
  apns: 'Apple',
  'apns-sandbox': 'Apple, app in development',
  fcm: 'Google',
  web: 'Web Push',
}

/** @type {Record<Kind, Platform[]>} */
const PLATFORMS = { expo: ['ios', 'android'], apns: ['ios'], 'apns-sandbox': ['ios'], fcm: ['android'], web: ['web'] }

/** @type {Record<Platform, string>} */
const NAMES = { ios: 'iPhone', android: 'Android phone', web: 'Browser' }

/**
 * What can be added, as options of a list.
 *
 * @param {Kind[]} kinds
 */
export function listReaches(kinds) {
  return kinds.flatMap((kind) =>
    PLATFORMS[kind].map((platform) => ({
      value: `${platform} ${kind}`,
      text: `${NAMES[platform]}, by ${KINDS[kind]}`,
    })),
  )
}

/**
 * Gives a list its options, unless it has them.
 *
 * @param {HTMLSelectElement} select
 * @param {{ value: string; text: string }[]} options
 */
export function setOptions(select, options) {
  const names = options.map(({ value }) => value).join()
  if (select.dataset['options'] === names) return
  select.dataset['options'] = names
  select.replaceChildren(...options.map(({ value, text }) => new Option(text, value)))
}
