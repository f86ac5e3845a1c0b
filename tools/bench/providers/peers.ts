import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const LISTED = toPath('../peers')
const INSTALLED = toPath('../../../node_modules/.cache/bench-peers')
const LOCKFILE = 'package-lock.json'
/** Where some peers send to, whatever they are told. */
const FIXED = /(?:^|\.)(?:push\.apple\.com|fcm\.googleapis\.com)$/

const require = createRequire(`${INSTALLED}/package.json`)

/** The peers are installed when they are first needed, so that nobody else waits for them. */
export function installPeers(say: (line: string) => void): void {
  const isSame = existsSync(`${INSTALLED}/node_modules/web-push`) && read(INSTALLED) === read(LISTED)
  if (isSame) return
  say('Installing node-apn, apns2, firebase-admin and web-push (once)…')
  mkdirSync(INSTALLED, { recursive: true })
  for (const file of ['package.json', LOCKFILE]) copyFileSync(`${LISTED}/${file}`, `${INSTALLED}/${file}`)
  const command = ['ci', '--no-audit', '--no-fund', '--loglevel=error', `--prefix=${INSTALLED}`]
  const { status } = spawnSync('npm', command, { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('The peers could not be installed.')
}

export function loadPeer<Peer>(name: string): Peer {
  return require(name) as Peer
}

/** Connections of this process to Apple and Google go to a double in their place. */
export function redirect({ port }: URL): void {
  const tls = require('node:tls') as { connect: (...args: unknown[]) => TLSSocket }
  const { connect } = tls
  tls.connect = (...args) => connect(...aim(args, Number(port)))
}

function aim(args: unknown[], port: number): unknown[] {
  const options = args.find((one) => typeof one === 'object' && one !== null) as { host?: string } | undefined
  const host = options?.host ?? args.find((one) => typeof one === 'string')
  if (host === undefined || !FIXED.test(host)) return args
  const callback = args.filter((one) => typeof one === 'function')
  return [{ ...options, host: '127.0.0.1', port, servername: 'localhost' }, ...callback]
}

function read(folder: string): string | undefined {
  const file = `${folder}/${LOCKFILE}`
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
