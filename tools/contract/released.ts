import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Description } from './description.ts'

const FILE = new URL('released.json.gz', import.meta.url)

/** The description of the last release. */
export function releasedDescription(): Description {
  return JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as Description
}

export function keepAsReleased(description: Description): void {
  writeFileSync(FILE, gzipSync(packed(description), { level: 9 }))
}

/** Whether programs see no difference between both, whatever people read in them. */
export function isReleased(description: Description): boolean {
  return packed(description) === packed(releasedDescription())
}

/** Examples and sentences are for people, and are most of its length. */
function packed(description: Description): string {
  return JSON.stringify(description, (key, value: unknown) =>
    /^examples?$/.test(key) || (/^(?:description|summary)$/.test(key) && typeof value === 'string') ? undefined : value,
  )
}
