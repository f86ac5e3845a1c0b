import { expect, test } from 'vitest'
import type { DivisionFacts, NodeFacts } from '../figures/nodes.queries.ts'
import { nodeFindings } from './node-findings.ts'

const COORDINATOR: NodeFacts = {
  node: 0,
  address: 'coordinator:5432',
  holds_homes: false,
  homes: 0,
  version: '13.2.2',
  recovers_every: '2s',
  kept_by: null,
  oldest_prepared: 0,
  standbys: 1,
}
const FIRST = { ...COORDINATOR, node: 1, address: 'worker-1:5432', holds_homes: true, homes: 16, kept_by: 'postgres' }
const SECOND = { ...FIRST, node: 2, address: 'worker-2:5432' }
const AWAY = { version: null, recovers_every: null, kept_by: null, oldest_prepared: null, standbys: null }

function findingsOf(second: Partial<NodeFacts> = {}, change: Partial<DivisionFacts> = {}) {
  const nodes = [COORDINATOR, FIRST, { ...SECOND, ...second }]
  return nodeFindings({ nodes, pool_size: '1', modify_mode: 'sequential', ...change })
}

test('finds nothing wrong with healthy servers, and says how many homes there are', () => {
  expect(findingsOf().filter(({ level }) => level !== 'ok')).toEqual([])
  expect(findingsOf().map(({ says }) => says)).toContain('32 homes: 16 on worker-1:5432, 16 on worker-2:5432.')
})

test.for<[check: string, level: string, says: RegExp, second: Partial<NodeFacts>, change?: Partial<DivisionFacts>]>([
  ['nodes', 'fail', /cannot reach worker-2:5432:/, AWAY],
  ['citus', 'warn', /not tried: worker-2:5432\./, { version: '14.0.0' }],
  ['homes', 'warn', /^38 homes: 16 on worker-1:5432, 22 on worker-2:5432\. Even/, { homes: 22 }],
  ['citus-settings', 'warn', /recover_2pc_interval to 2s on worker-2:5432\.$/, { recovers_every: '1min' }],
  [
    'citus-settings',
    'warn',
    /per_worker to 0 for the role postgres, .* on the coordinator\.$/,
    {},
    { nodes: [{ ...COORDINATOR, kept_by: 'postgres' }, FIRST, SECOND] },
  ],
  ['citus-settings', 'warn', /^Set citus\.max_adaptive_executor_pool_size to 1\.$/, {}, { pool_size: '16' }],
  ['citus-settings', 'warn', /^Set citus\.multi_shard_modify_mode to/, {}, { modify_mode: 'parallel' }],
  ['prepared', 'fail', /not ended on worker-2:5432/, { oldest_prepared: 10.5 }],
  ['node-standbys', 'warn', /No standby is connected to worker-2:5432\.$/, { standbys: 0 }],
] as const)('tells of %s, as %s: %s', ([check, level, says, second, change]) => {
  expect(findingsOf(second, change).filter((finding) => finding.level !== 'ok')).toEqual([
    { check, level, says: expect.stringMatching(says) as string },
  ])
})
