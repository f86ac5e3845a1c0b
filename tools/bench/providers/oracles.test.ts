// Slow: installs node-apn, firebase-admin and web-push, once.
import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFcm, type FcmDouble } from '../../../simulator/src/fcm/fcm.ts'
import { startHttp2Double } from '../../../simulator/src/http2/double.ts'
import { decrypt, type BrowserKeys } from '../../../simulator/src/web-push/decrypt.ts'
import { startHttp1 } from '../../../simulator/src/web-push/http1.ts'
import type { Push } from '../../../server/src/push/provider/provider.ts'
import { ACCEPTED, listDifferences, readFcmBody, readHeaders, type Seen } from './differences.ts'
import type { Message } from './messages.ts'
import { openProvider, PLATFORMS } from './ours.ts'
import { startChild } from './part.ts'
import { installPeers } from './peers.ts'
import scenarios from './scenarios.json' with { type: 'json' }
import { TEXT, toToken, type Kind, type Target } from './target.ts'

const EXPIRES_AT = new Date(Date.now() + 3_600_000)
const BROWSER: BrowserKeys = { pair: createECDH('prime256v1'), auth: randomBytes(16) }
BROWSER.pair.generateKeys()
const google: { double?: FcmDouble } = {}

beforeAll(async () => {
  installPeers(() => undefined)
  google.double = await startFcm()
})
afterAll(() => google.double?.close())

test.for([
  ['apns', 'node-apn'],
  ['fcm', 'firebase-admin'],
  ['web', 'web-push'],
] as const)('our pushes to %s are those of %s but for accepted differences', async ([kind, peer]) => {
  const seen: Seen[] = []
  const { target, close } = await record(kind, seen)
  try {
    await sendOurs(target)
    const ours = seen.splice(0)
    await sendTheirs(target)
    expect([ours.length, seen.length]).toEqual([scenarios.length, scenarios.length])
    const differences = ours.flatMap((one, n) => listDifferences(one, seen[n]))
    expect([...new Set(differences)].toSorted()).toEqual(Object.keys(ACCEPTED[peer]).toSorted())
  } finally {
    await close()
  }
})

async function sendOurs(target: Target): Promise<void> {
  const provider = openProvider(target)
  for (const [n, { urgent, mergeKey, data, badge }] of scenarios.entries()) {
    const push: Push = {
      to: toToken(target, n),
      platform: PLATFORMS[target.kind],
      notificationId: n + 1,
      content: { ...TEXT, data, urgent, mergeKey },
      expiresAt: EXPIRES_AT,
      isProven: true,
      ...(badge !== undefined && { badge }),
    }
    expect((await provider.submit([push])).outcomes).toMatchObject([{ kind: 'accepted' }])
  }
  await provider.close()
}

async function sendTheirs(target: Target): Promise<void> {
  const messages = scenarios.map(({ urgent, mergeKey, data, badge }, n): Message => {
    const topic = mergeKey === null ? {} : { topic: Buffer.from(mergeKey).toString('base64url') }
    const common = { ...TEXT, data, urgent, notificationId: n + 1, tag: mergeKey ?? `n${n + 1}`, expiresAt: EXPIRES_AT }
    return { ...common, ...topic, ...(badge !== undefined && { badge }) }
  })
  const peer = await startChild('./oracle.ts')
  await peer.ask({ target, messages })
  await peer.stop()
}

/** A double that takes every push and notes it. */
async function record(kind: Kind, seen: Seen[]): Promise<{ target: Target; close(): Promise<void> }> {
  const read = { apns: readJson, fcm: (body: Buffer) => readFcmBody(String(body)), web: readSecret }[kind]
  const answers = {
    apns: { status: 200 },
    fcm: { status: 200, body: '{"name":"projects/p/messages/1"}' },
    web: { status: 201 },
  }
  const answer = async (request: Omit<Seen, 'body'> & { body: Buffer }) => {
    const { method, path, headers, body } = request
    seen.push({ method, path, headers: readHeaders(headers), body: read(body) })
    return answers[kind]
  }
  const double = kind === 'web' ? await startHttp1(0, answer) : await startHttp2Double({ answer })
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const target: Target = {
    kind,
    url: double.url,
    pushes: scenarios.length,
    warm: 0,
    hasBadTokens: false,
    key: kind === 'fcm' ? google.double!.credentials : privateKey,
    tokenUrl: google.double!.tokenUrl,
    subscriptions: scenarios.map((_, n) => toSubscription(`${double.url}/push/${n}`)),
  }
  return { target, close: () => double.close() }
}

function toSubscription(endpoint: string): string {
  const [p256dh, auth] = [BROWSER.pair.getPublicKey(), BROWSER.auth].map((bytes) => bytes.toString('base64url'))
  return JSON.stringify({ endpoint, keys: { p256dh, auth } })
}

function readJson(body: Buffer): unknown {
  return JSON.parse(String(body)) as unknown
}

function readSecret(body: Buffer): unknown {
  return JSON.parse(decrypt(body, BROWSER) ?? 'null') as unknown
}
