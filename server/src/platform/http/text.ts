import type { Ajv, FuncKeywordDefinition } from 'ajv'
import { Type } from 'typebox'
import { faultOfText, type TextLayout } from '../shared/plain-text.ts'

const KEYWORD = 'x-plain-text'

const MEANING: Record<TextLayout, string> = {
  line: 'One line with at least one visible character; no control characters, and none that change the direction of writing.',
  lines:
    'At least one visible character; no control characters except line breaks, and none that change the direction of writing.',
  pasted:
    'At least one visible character; no control characters except tabs, which become spaces, and line breaks. Marks that change the direction of writing are taken out.',
}

type TextOptions = { maxLength: number; description?: string }

export function Line(options: TextOptions) {
  return toTextSchema('line', options)
}

export function Lines(options: TextOptions) {
  return toTextSchema('lines', options)
}

export function Pasted(options: TextOptions) {
  return toTextSchema('pasted', options)
}

function toTextSchema(layout: TextLayout, { maxLength, description }: TextOptions) {
  const meaning = [description, MEANING[layout]].filter((part) => part !== undefined).join(' ')
  return Type.String({ minLength: 1, maxLength, description: meaning, [KEYWORD]: layout })
}

/** The values of a list in one text; the API's description shows it as a list. */
export const WORDS = 'x-words'

/** A query parameter with some of these values, separated by commas. */
export function Words(words: readonly string[], { maxLength = 200, ...options }: Partial<TextOptions> = {}) {
  const one = String.raw`\s*(?:${words.join('|')})\s*`
  const sentence = `must be one or more of: ${words.join(', ')}`
  return Type.String({ ...options, maxLength, pattern: `^${one}(?:,${one})*$`, 'x-fault': sentence, [WORDS]: words })
}

export function addTextKeyword(ajv: Ajv): void {
  const validate: FuncKeywordDefinition['validate'] = (layout: TextLayout, text: string) => {
    // `minLength` reports an empty text.
    const message = text === '' ? undefined : faultOfText(text, layout)
    validate!.errors = message === undefined ? [] : [{ keyword: KEYWORD, message, params: { sentence: message } }]
    return message === undefined
  }
  ajv.addKeyword({ keyword: KEYWORD, type: 'string', schemaType: 'string', errors: true, validate })
}
