import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { STOCK_POSTGRES } from '../../server/test/support/programs.ts'

/** The blocks of the page are for root on Debian, where PostgreSQL has the extension. */
export function canDrill(): boolean {
  return process.getuid?.() === 0 && existsSync(join(dirname(STOCK_POSTGRES), 'lib/citus.so'))
}
