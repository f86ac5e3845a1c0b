import { statSync } from 'node:fs'
import type { TestSequencerConstructor, TestSpecification } from 'vitest/node'

/**
 * These files take a quarter of a minute and more, the longest first. One that begins last would run alone at the end.
 */
const LONG = [
  'tools/torture/torture',
  'server/test/cost',
  'panel/test/dialogs.e2e',
  'panel/test/pages.e2e',
  'server/src/administration/users/users-plans',
  'panel/test/unreachable.e2e',
  'panel/test/desks.e2e',
  'panel/test/support.e2e',
  'server/test/watchdog',
  'panel/test/sending.e2e',
  'panel/test/wall.e2e',
  'server/src/administration/exports/link',
  'panel/test/docs.e2e',
  'server/test/prometheus',
  'server/test/outage',
  'panel/test/cookie.e2e',
  'server/test/fuzz',
  'panel/test/records.e2e',
  'scripts/start',
  'tools/soak/soak',
  'server/test/tracing',
  'server/src/push/pipeline/plans',
  'server/src/administration/products/plans',
  'panel/test/lists.e2e',
  'server/test/manage',
  'server/test/idle',
  'server/test/badges-killed',
]

/**
 * Long files first, then those with a browser, then the larger ones: the same order in each clone. Those of a project
 * stand together, because a worker ends, with all that it has loaded, where the next file is of another project.
 */
export const longFirst = function () {
  return {
    sort: (files: TestSpecification[]) =>
      files.toSorted((a, b) => byProject(a, b) || rank(a) - rank(b) || size(b) - size(a)),
    shard: (files: TestSpecification[]) => files,
  }
} as unknown as TestSequencerConstructor

function byProject(a: TestSpecification, b: TestSpecification): number {
  return a.project.name.localeCompare(b.project.name)
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  if (place >= 0) return place
  return moduleId.endsWith('.e2e.test.ts') ? LONG.length : LONG.length + 1
}

function size({ moduleId }: TestSpecification): number {
  return statSync(moduleId).size
}
