import { connect, type ClientHttp2Session } from 'node:http2'
import { expect, test } from 'vitest'
import { AUTHORITY } from './certificates.ts'
import { startHttp2Double, type Http2Double, type Http2DoubleOptions } from './double.ts'

type Ended = { status: number | undefined; code: number | undefined }
type World = {
  double: Http2Double
  session: ClientHttp2Session
  log: string[]
  goaways: { code: number; last: number; reason: string }[]
  post(path: string): Promise<Ended>
  [Symbol.asyncDispose](): Promise<void>
}

async function open(options: Partial<Http2DoubleOptions> = {}): Promise<World> {
  const log: string[] = []
  const double = await startHttp2Double({
    answer: ({ path }) => {
      log.push(path)
      return { status: 200, body: path }
    },
    ...options,
  })
  const session = connect(double.url, { ca: AUTHORITY })
  const goaways: World['goaways'] = []
  session.on('goaway', (code, last, data) => goaways.push({ code, last, reason: data ? String(data) : '' }))
  session.on('error', () => undefined)
  await new Promise((resolve) => session.once('remoteSettings', resolve))
  return {
    double,
    session,
    log,
    goaways,
    post: async (path) => post(session, path),
    [Symbol.asyncDispose]: async () => {
      session.destroy()
      await double.close()
    },
  }
}

async function post(session: ClientHttp2Session, path: string): Promise<Ended> {
  return new Promise((resolve) => {
    const stream = session.request({ ':method': 'POST', ':path': path })
    let status: number | undefined
    stream.on('response', (headers) => (status = headers[':status']))
    stream.on('error', () => undefined)
    stream.on('close', () => resolve({ status, code: stream.rstCode }))
    stream.resume()
    stream.end('body')
  })
}

const TAKEN: Ended = { status: 200, code: 0 }
const REFUSED: Ended = { status: undefined, code: 7 }

test('its certificate is good for localhost and its addresses under its own authority alone', async () => {
  await using world = await open()
  expect(await world.post('/one')).toEqual(TAKEN)
  expect(world.session.encrypted).toBe(true)
  const stranger = connect(world.double.url)
  const error = await new Promise((resolve) => stranger.once('error', resolve))
  expect(error).toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
})

test('a GOAWAY below a stream rises to the highest that was taken, so that it does not lie', async () => {
  await using world = await open()
  const slow = Promise.withResolvers<unknown>()
  world.double.script([
    { kind: 'slow', until: slow.promise, path: '/slow' },
    { kind: 'goaway', last: 'below', code: 0, reason: 'Shutdown', path: '/goaway' },
  ])
  const ends = Promise.all(['/slow', '/goaway', '/above'].map(world.post))
  setImmediate(() => slow.resolve(0))
  expect(await ends).toEqual([TAKEN, REFUSED, REFUSED])
  expect(world.goaways).toEqual([{ code: 0, last: 1, reason: '{"reason":"Shutdown"}' }])
  expect(world.log).toEqual(['/slow'])
  expect(world.double.counts()).toMatchObject({ taken: 1, liedAbout: 0 })
})

test('a GOAWAY that lies is counted', async () => {
  await using world = await open()
  await world.post('/first')
  world.double.script([{ kind: 'goaway', last: 'below', lies: true, path: '/third' }])
  world.double.script([{ kind: 'slow', ms: 20, times: 0 }])
  expect(await Promise.all(['/second', '/third'].map(world.post))).toEqual([TAKEN, REFUSED])
  expect(world.log).toEqual(['/first', '/second', '/third'])
  expect(world.double.counts()).toMatchObject({ taken: 3, liedAbout: 1 })
})

test('a reset is before or after the request was taken', async () => {
  await using world = await open()
  world.double.script([
    { kind: 'reset', code: 8, when: 'before' },
    { kind: 'reset', code: 2, when: 'after' },
    { kind: 'reset', code: 7, when: 'after' },
  ])
  expect(await world.post('/before')).toEqual({ status: undefined, code: 8 })
  expect(await world.post('/after')).toEqual({ status: undefined, code: 2 })
  expect(world.double.counts().liedAbout).toBe(0)
  expect(await world.post('/lie')).toEqual(REFUSED)
  expect(world.log).toEqual(['/after', '/lie'])
  expect(world.double.counts()).toMatchObject({ taken: 2, faults: 3, liedAbout: 1 })
})

test.for([0, 300])('a black hole answers no PING, with %i requests on their way', async (count) => {
  await using world = await open()
  const other = connect(world.double.url, { ca: AUTHORITY })
  if (count === 0) world.double.loseConnections()
  else world.double.script([{ kind: 'hole', when: 'before' }])
  for (let n = 0; n < count; n++) {
    const stream = world.session.request({ ':method': 'POST', ':path': `/${n}` })
    stream.on('error', () => undefined).end('x'.repeat(400))
  }
  await expect.poll(() => world.double.counts().faults).toBe(Math.min(count, 1))
  const othersGoOn = async () => {
    for (let n = 0; n < 50; n++) expect(await post(other, '/other')).toEqual(TAKEN)
  }
  await othersGoOn()
  let isAnswered = false
  world.session.ping(() => (isAnswered = true))
  await othersGoOn()
  expect(isAnswered).toBe(false)
  other.destroy()
})

test('an honest GOAWAY comes each so many requests of a connection', async () => {
  await using world = await open({ goawayEvery: 3 })
  expect(await Promise.all(['/1', '/2', '/3', '/4'].map(world.post))).toEqual([TAKEN, TAKEN, TAKEN, REFUSED])
  expect(world.goaways).toMatchObject([{ code: 0, last: 5 }])
  expect(world.double.counts()).toMatchObject({ taken: 3, liedAbout: 0 })
})
