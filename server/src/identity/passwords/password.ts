import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { promisify } from 'node:util'
import { createSemaphore } from '../../platform/concurrency/semaphore.ts'
import { normalized } from '../../platform/secrets/password-length.ts'

const argon2Async = promisify(argon2)

// The floor of OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane.
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const HASH_BYTES = 32
const COST = `m=${MEMORY_KIB},t=${PASSES},p=${LANES}`

const AT_ONCE = 2
const QUEUE_MAX = 64

export type Passwords = ReturnType<typeof createPasswords>

/** Beyond two hashes and a short queue callers get 503, so that a flood of logins leaves cores and memory to others. */
export function createPasswords() {
  const places = createSemaphore(AT_ONCE, QUEUE_MAX)
  const nobody = { salt: randomBytes(16), hash: randomBytes(HASH_BYTES), cost: TODAY }
  return {
    /** 503 when too many callers wait. */
    hash: (password: string): Promise<string> =>
      places.run(async () => {
        const salt = randomBytes(16)
        return phc(salt, await derive(password, salt, TODAY))
      }),
    /** False, at the same cost, without `stored` (unknown account) and for one that is no hash (no password yet). */
    verify: async (password: string, stored: string | undefined): Promise<boolean> => {
      const own = stored === undefined ? undefined : parse(stored)
      const { salt, hash, cost } = own ?? nobody
      const derived = await places.run(() => derive(password, salt, cost))
      return timingSafeEqual(derived, hash) && own !== undefined
    },
    isOutdated: (stored: string): boolean => !stored.includes(`$${COST}$`),
  }
}

const TODAY = { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES }

type Cost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>

function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return argon2Async('argon2id', { ...cost, message: normalized(password), nonce: salt, tagLength: HASH_BYTES })
}

function phc(salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$${COST}$${unpadded(salt)}$${unpadded(hash)}`
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

function parse(stored: string): { salt: Buffer; hash: Buffer; cost: Cost } | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored)
  if (!match) return undefined
  const [, memory, passes, parallelism, salt = '', hash = ''] = match
  return {
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
  }
}
