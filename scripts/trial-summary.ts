import { relative } from 'node:path'
import type { TrialSecrets } from './trial-settings.ts'

const EXPO = '    Push provider    Expo: pushes reach the real phones that registered their tokens'

type Addresses = {
  api: string
  simulator: string
  database: string
  dataDir: string
  isExpo: boolean
  isBuilt: boolean
}

/** What a person wants to know once everything runs: where it is, how to sign in, and what to try first. */
export function summary(addresses: Addresses, secrets: TrialSecrets): string {
  const { api, simulator, database, dataDir, isExpo, isBuilt } = addresses
  const folder = relative('', dataDir).startsWith('..') ? dataDir : `./${relative('', dataDir)}`
  const credentials = JSON.stringify({ email: secrets.adminEmail, password: secrets.adminPassword })
  const campaign = JSON.stringify({
    title: 'Hello',
    text: 'Three new items near you',
    data: { link: 'swapbell://items' },
  })
  return `
  Swapbell is running.

    Panel            ${api}/${isBuilt ? '' : '   (it is being built: the page opens by itself)'}
    API              ${api}
    API reference    ${api}/docs
${isExpo ? EXPO : `    Wall of phones   ${simulator}   (phones that ring; a provider that fails on request)`}
    Mailbox          ${simulator}/page/mailbox.html   (every mail that Swapbell sends here)
    Database         ${database}
    Data and logs    ${folder}   (server.log, simulator.log)

    Sign in with     ${secrets.adminEmail}
    Password         ${secrets.adminPassword}

  Try it: sign in to the panel, write a campaign, watch it arrive on the wall of phones. Or without the panel:

API=${api}
TOKEN=$(curl -s "$API/api/admin/v1/login" -H 'content-type: application/json' -d ${quoted(credentials)} | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
curl -s -w '\\n' "$API/api/admin/send-notification-all" -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d ${quoted(campaign)}
curl -s -w '\\n' "$API/api/admin/promotional-notifications?page=1&per_page=1" -H "authorization: Bearer $TOKEN"

  Ctrl-C stops everything; the data stays.

`
}

/** Gives the text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
