const PARAMETERS_MAX = 4
// A return type may stand between the parameters and what makes them those of a function.
const BEGINS_BODY = /^\s*(?::[^=;()]*)?(?:=>|\{)/
const NAMES_FUNCTION = /\bfunction\b[^()]*$/
const OPENING = '([{<'
const CLOSING = ')]}>'

/** The number of parameters of each function of a source text, and of each type of one, that takes more than four. */
export function listLongParameters(code: string): number[] {
  return Array.from(code.matchAll(/\(/g)).flatMap(({ index }) => {
    const { count, end } = readParameters(code, index + 1)
    if (count <= PARAMETERS_MAX) return []
    const isFunction = NAMES_FUNCTION.test(code.slice(0, index)) || BEGINS_BODY.test(code.slice(end))
    return isFunction ? [count] : []
  })
}

/** Counts what stands between commas up to the bracket that closes; `end` is after it. */
function readParameters(code: string, start: number): { count: number; end: number } {
  let count = 0
  let depth = 0
  let isEmpty = true
  for (let at = start; at < code.length; at++) {
    const sign = code.charAt(at)
    const isArrow = sign === '>' && code.charAt(at - 1) === '='
    const isEnd = depth === 0 && CLOSING.includes(sign) && !isArrow
    if (depth === 0 && (isEnd || sign === ',') && !isEmpty) count++
    if (isEnd) return { count, end: at + 1 }
    isEmpty = depth === 0 && sign === ',' ? true : isEmpty && /\s/.test(sign)
    if (OPENING.includes(sign)) depth++
    else if (CLOSING.includes(sign) && !isArrow) depth--
  }
  return { count: 0, end: code.length }
}
