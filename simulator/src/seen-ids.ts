/** A set of ids that are stored elsewhere by row: 16 bytes an id, and nothing for the garbage collector to walk. */
export type SeenIds = { used: number; rows: Uint32Array; hashes: Uint32Array }

const FIRST_SLOTS = 2048

export function createSeenIds(): SeenIds {
  return { used: 0, rows: new Uint32Array(FIRST_SLOTS), hashes: new Uint32Array(FIRST_SLOTS) }
}

/** Adds `id`, which is stored at `row`, and returns whether it was there already; `idAt` reads an id by its row. */
export function addId(seen: SeenIds, id: string, row: number, idAt: (row: number) => string): boolean {
  if (seen.used * 2 >= seen.rows.length) widen(seen)
  const hash = hashId(id)
  const mask = seen.rows.length - 1
  let slot = hash & mask
  // A slot holds row + 1; 0 is a free one.
  for (let held = seen.rows[slot]; held; held = seen.rows[slot]) {
    if (seen.hashes[slot] === hash && idAt(held - 1) === id) return true
    slot = (slot + 1) & mask
  }
  seen.rows[slot] = row + 1
  seen.hashes[slot] = hash
  seen.used++
  return false
}

/** FNV-1a, 32 bits. */
function hashId(id: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

function widen(seen: SeenIds): void {
  const mask = seen.rows.length * 2 - 1
  const rows = new Uint32Array(mask + 1)
  const hashes = new Uint32Array(mask + 1)
  for (let index = 0; index <= mask >> 1; index++) {
    const row = seen.rows[index] ?? 0
    if (row === 0) continue
    const hash = seen.hashes[index] ?? 0
    let slot = hash & mask
    while (rows[slot]) slot = (slot + 1) & mask
    rows[slot] = row
    hashes[slot] = hash
  }
  Object.assign(seen, { rows, hashes })
}
