import { expect, test } from 'vitest'
import type { ServerFacts, TableFacts } from './doctor.queries.ts'
import { autovacuumFinding, serverFindings, type ServerContext } from './server-findings.ts'

const SERVER: ServerFacts = {
  version: '15.18',
  versionNumber: 150_018,
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  synchronousStandbyNames: 'standby',
  autovacuum: 'on',
  trackCounts: 'on',
  jit: 'off',
  maxConnections: 100,
  reservedConnections: 3,
  connections: 10,
  isEncrypted: true,
  standbys: 1,
  synchronousStandbys: 1,
  hiddenStandbys: 0,
  archiveMode: 'on',
  archiveFails: false,
  bufferBytes: 4_294_967_296,
  bytes: 10_000_000,
  transactionAge: 5,
}
const CONTEXT: ServerContext = { isProduction: true, isRemote: true, pool: 16, aheadMs: 3 }
const TABLE: TableFacts = { name: 'users', rows: 50_000, dead: 10, isAnalyzed: true, isVacuumed: true }

test('finds nothing wrong with a healthy server', () => {
  const findings = [...serverFindings(SERVER, CONTEXT), autovacuumFinding(SERVER, [TABLE])]
  expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
})

test.for<[check: string, level: string, says: RegExp, facts: Partial<ServerFacts>, context?: Partial<ServerContext>]>([
  ['postgresql', 'fail', /14\.2 is too old/, { version: '14.2', versionNumber: 140_002 }],
  ['clock', 'warn', /2500 ms behind/, {}, { aheadMs: 2_500 }],
  ['clock', 'warn', /2500 ms ahead of/, {}, { aheadMs: -2_500 }],
  ['tls', 'warn', /not encrypted/, { isEncrypted: false }],
  [
    'durability',
    'fail',
    /^full_page_writes, synchronous_commit off/,
    { fullPageWrites: 'off', synchronousCommit: 'off' },
  ],
  ['replication', 'warn', /every write waits/, { standbys: 0 }],
  ['replication', 'warn', /No standby is connected: if/, { standbys: 0, synchronousStandbyNames: '' }],
  ['replication', 'warn', /asynchronous/, { synchronousStandbyNames: '' }],
  ['replication', 'warn', /pg_monitor/, { synchronousStandbys: 0, hiddenStandbys: 1 }],
  ['replication', 'warn', /No connected standby is synchronous/, { synchronousStandbys: 0 }],
  ['replication', 'warn', /is local/, { synchronousCommit: 'local' }],
  ['connections', 'fail', /room for 0 processes/, { maxConnections: 30 }],
  ['connections', 'warn', /room for 1 processes/, { maxConnections: 50 }],
  ['connections', 'warn', /80 of 97 connections/, { connections: 80 }],
  ['archive', 'warn', /archive_mode is off/, { archiveMode: 'off' }],
  ['archive', 'warn', /cannot archive/, { archiveFails: true }],
  ['jit', 'fail', /JIT is on/, { jit: 'on' }],
  ['transactions', 'warn', /1500000000 old: find/, { transactionAge: 1_500_000_000 }],
] as const)('tells of %s, as %s: %s', ([check, level, says, facts, context]) => {
  const findings = serverFindings({ ...SERVER, ...facts }, { ...CONTEXT, ...context })
  expect(findings.filter((finding) => finding.level !== 'ok')).toEqual([
    { check, level, says: expect.stringMatching(says) as string },
  ])
})

test.for<[says: RegExp, level: string, server: Partial<ServerFacts>, table: Partial<TableFacts>]>([
  [/track_counts is off/, 'fail', { trackCounts: 'off' }, {}],
  [/autovacuum is off for users/, 'warn', {}, { isVacuumed: false }],
  [/rows are dead in users/, 'warn', {}, { dead: 200_000 }],
  [/knows nothing of users/, 'warn', {}, { isAnalyzed: false }],
])('tells of autovacuum: %s', ([says, level, server, table]) => {
  expect(autovacuumFinding({ ...SERVER, ...server }, [{ ...TABLE, ...table }])).toEqual({
    check: 'autovacuum',
    level,
    says: expect.stringMatching(says) as string,
  })
})
