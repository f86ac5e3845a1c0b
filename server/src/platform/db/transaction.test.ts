import { connect as connectSocket } from 'node:net'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { isDatabaseUnavailable } from './transaction.ts'

describe('the database is unavailable', () => {
  test.for([
    ['08006', 'connection_failure'],
    ['08P01', 'protocol_violation, also all that PgBouncer says'],
    ['25006', 'read_only_sql_transaction'],
    ['25P03', 'idle_in_transaction_session_timeout'],
    ['25P04', 'transaction_timeout'],
    ['28P01', 'invalid_password'],
    ['28000', 'invalid_authorization_specification'],
    ['3D000', 'invalid_catalog_name'],
    ['40001', 'serialization_failure, on a standby a conflict with recovery'],
    ['53100', 'disk_full'],
    ['53200', 'out_of_memory'],
    ['53300', 'too_many_connections'],
    ['55000', 'object_not_in_prerequisite_state'],
    ['57P01', 'admin_shutdown'],
    ['57P02', 'crash_shutdown'],
    ['57P03', 'cannot_connect_now'],
    ['57P05', 'idle_session_timeout'],
    ['58030', 'io_error'],
    ['ECONNREFUSED', 'nobody listens'],
    ['ETIMEDOUT', 'nobody answers'],
    ['EAI_AGAIN', 'the name server does not answer'],
  ])('on %s, %s', ([code]) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('as the server says'), { code }))).toBe(true)
  })

  test.for([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ])('on the driver’s "%s"', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true)
  })

  test.for([
    'SSL SYSCALL error: EOF detected\ninvalid socket',
    'server closed the connection unexpectedly',
    'could not commit transaction for shard 102091 on at least one active node',
    'failure on connection marked as essential: 127.0.0.1:5432',
    'could not append to received file: No space left on device',
  ])('on "%s", as a Citus says that has lost a server', (message) => {
    expect(isDatabaseUnavailable(Object.assign(new Error(message), { code: 'XX000' }))).toBe(true)
  })

  test('on a prepared statement that a migration made stale, in whatever language the server says it', () => {
    const said = { code: '0A000', routine: 'RevalidateCachedQuery' }
    const error = new Error('gecachter Plan darf den Ergebnistyp nicht ändern')
    expect(isDatabaseUnavailable(Object.assign(error, said))).toBe(true)
    expect(isDatabaseUnavailable(Object.assign(new Error('not supported'), { code: '0A000' }))).toBe(false)
  })

  test('on what Node says when each of several addresses refuses', async () => {
    const addresses = [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]
    const socket = connectSocket({
      host: 'several.example',
      port: 1,
      autoSelectFamily: true,
      lookup: (_name, _options, found) => found(null, addresses),
    })
    const [error] = (await once(socket, 'error').catch((fault: unknown) => [fault])) as [Error]
    expect(error).toBeInstanceOf(AggregateError)
    expect(isDatabaseUnavailable(error)).toBe(true)
    expect(isDatabaseUnavailable(new AggregateError((error as AggregateError).errors))).toBe(true)
  })
})

describe('the database is there', () => {
  test.for([
    ['22001', 'string_data_right_truncation'],
    ['23505', 'unique_violation'],
    ['25P02', 'in_failed_sql_transaction'],
    ['40P01', 'deadlock_detected'],
    ['42P01', 'undefined_table'],
    ['42501', 'insufficient_privilege'],
    ['55P03', 'lock_not_available'],
    ['57014', 'query_canceled'],
    ['P0001', 'raise_exception'],
    ['XX000', 'internal_error'],
    ['ERR_INVALID_ARG_TYPE', 'an error of our own'],
  ])('on %s, %s', ([code]) => {
    expect(isDatabaseUnavailable(Object.assign(new Error('as the server says'), { code }))).toBe(false)
  })

  test.for<unknown>([new TypeError('x is not a function'), new AggregateError([new TypeError('x')]), {}, undefined])(
    'on %s',
    (error) => {
      expect(isDatabaseUnavailable(error)).toBe(false)
    },
  )
})
