import { t } from '../translation/translate.ts'
import { splitWays, type RollOut, type Way } from './roll-outs.ts'

export type Figure = 'accepted' | 'refused' | 'gone' | 'opened'

type Rate = { count: number; whole: number }

// The service ends a roll-out by itself with twice as many gone; there the refused are no answers.
const ANSWERED_MIN = 200
const CASES_MIN = 10
const CLEARLY = 1.5

/** How many pushes of a way had this end, and of how many. */
export function computeRate(way: Way, figure: Figure): Rate {
  const { accepted, refused, gone } = way
  const wholes = { accepted: accepted + refused + gone, refused: accepted + refused + gone, gone: accepted + gone }
  return { count: way[figure], whole: figure === 'opened' ? accepted : wholes[figure] }
}

/** What the figures of both ways say about the next step, in plain words. */
export function judge(of: RollOut): string {
  const { from, share } = of
  if (share === 0) return t('Nothing is sent directly, so there is nothing to compare.')
  if (share === 100) return t('Nothing is sent by {from}, so there is nothing to compare.', { from })
  const [direct, other] = splitWays(of)
  const [count, others] = [computeRate(direct, 'refused').whole, computeRate(other, 'refused').whole]
  if (Math.min(count, others) < ANSWERED_MIN)
    return t('Too few to compare: each way needs {needed} answers, and has {count} directly and {others} by {from}.', {
      needed: ANSWERED_MIN,
      count,
      others,
      from,
    })
  const faults = [
    isClearlyMore('refused', direct, other) && t('Clearly more pushes are refused directly.'),
    isClearlyMore('gone', direct, other) && t('Clearly more phones are gone directly.'),
    isClearlyMore('opened', other, direct) && t('Clearly fewer pushes are opened directly.'),
  ].filter((fault) => fault !== false)
  if (faults.length === 0) return t('Both ways do about as well. Nothing speaks against the next step.')
  return [...faults, t('Find the reason before the next step.')].join(' ')
}

function isClearlyMore(figure: Figure, way: Way, than: Way): boolean {
  const [one, other] = [computeRate(way, figure), computeRate(than, figure)]
  return one.count >= CASES_MIN && one.count * other.whole >= CLEARLY * other.count * one.whole
}
