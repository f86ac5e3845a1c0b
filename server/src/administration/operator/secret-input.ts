import { randomInt } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { ReadStream } from 'node:tty'

const SECRET_MOST = 1_024
// Letters that look alike are left out.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** The first line of a stream; a terminal does not show it. Throws when it is empty or has more than 1,024
 * characters. */
export async function readSecret(input: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>): Promise<string> {
  const isTerminal = input.isTTY === true
  if (isTerminal) process.stderr.write('Password: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: silent, terminal: isTerminal })
  const line = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
  })
  lines.close()
  if (isTerminal) process.stderr.write('\n')
  if (line === '' || line.length > SECRET_MOST)
    throw new Error('Standard input must contain the password in its first line.')
  return line
}

/** 20 letters and digits, 99 bits. */
export function generatedPassword(): string {
  return Array.from({ length: 5 }, group).join('-')
}

function group(): string {
  return Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}
