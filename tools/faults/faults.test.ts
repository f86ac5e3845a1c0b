import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { FAULTS } from './faults.ts'

const ROOT = new URL('../../', import.meta.url)

describe('A fault that can be planted', () => {
  test.for(FAULTS)('replaces a text that stands once in its file: $name', ({ file, from, to }) => {
    const source = readFileSync(fileURLToPath(new URL(file, ROOT)), 'utf8')
    expect(source.split(from)).toHaveLength(2)
    expect(to).not.toBe(from)
  })
})
