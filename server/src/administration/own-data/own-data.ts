import { Readable } from 'node:stream'
import type { PushDeps } from '../../push/deps.ts'
import { recordAuditAlone, type Actor } from '../../platform/audit/audit.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { createOpenFiles } from '../../platform/streams/open-files.ts'
import { confirmPassword } from '../../identity/sign-in/auth.ts'
import { copyOwnData, SECTIONS } from './own-data.queries.ts'

const AT_ONCE = 2
const COLON = 0x3a
const LINE_FEED = 0x0a

export function createOwnDataFiles(deps: PushDeps) {
  const files = createOpenFiles(AT_ONCE)
  return {
    /** One JSON object with a list for each section (ADR 15), and an audit entry. 422 for a wrong password, 503
     * when too many run. */
    open: async (given: { userId: number; password: string; site: string }, actor: Actor): Promise<Readable> => {
      const { userId } = given
      await confirmPassword(deps, given)
      const entry = { action: 'account.export', entity: 'user', entityId: userId }
      const { file } = await files.open(
        () => openFile(deps, userId),
        () => recordAuditAlone(deps, actor, entry),
      )
      return file
    },
    close: files.close,
  }
}

async function openFile({ db, config, log, limits, clock }: PushDeps, userId: number): Promise<{ file: Readable }> {
  const source = { db, url: config.DATABASE_URL, log, limits: { silenceMs: limits.silenceMs } }
  const { stream, given } = await copyOwnData(source, userId, fromNow(clock))
  given.catch(() => undefined)
  const file = Readable.from(writeJson(stream, fromNow(clock)), { objectMode: false })
  file.once('close', () => stream.destroy())
  return { file }
}

/** A row is never parsed, and no more than one is held. */
async function* writeJson(lines: Readable, at: Date): AsyncGenerator<Buffer | string> {
  yield `{"made_at":${JSON.stringify(at.toISOString())}`
  let place = -1
  let hasRow = false
  for await (const line of splitLines(lines)) {
    const colon = line.indexOf(COLON)
    const next = Number(line.toString('latin1', 0, colon))
    for (; place < next; hasRow = false) yield opened(++place)
    yield hasRow ? ',\n' : '\n'
    yield line.subarray(colon + 1)
    hasRow = true
  }
  while (place < SECTIONS.length - 1) yield opened(++place)
  yield ']}\n'
}

function opened(place: number): string {
  return `${place === 0 ? '' : ']'},\n${JSON.stringify(SECTIONS[place]?.name)}:[`
}

async function* splitLines(stream: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const last = chunk.subarray(start, end)
      yield rest.length === 0 ? last : Buffer.concat([...rest, last])
      rest = []
      start = end + 1
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
  }
}
