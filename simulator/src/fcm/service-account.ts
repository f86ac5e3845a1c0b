import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'

/** A key as Google Cloud gives it, and the half of it that Google keeps. */
export type ServiceAccount = { email: string; project: string; publicKey: string; file: string }

/** The Firebase project, unless another is named. */
export const PROJECT = 'swapbell-double'

const NAME = 'swapbell-push'

export function makeServiceAccount(project: string, name = NAME): ServiceAccount {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return readServiceAccount(describeAccount(project, String(privateKey.export({ type: 'pkcs8', format: 'pem' })), name))
}

/** The key file of an account. */
export function describeAccount(project: string, privateKey: string, name = NAME): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: project,
    private_key_id: randomBytes(20).toString('hex'),
    private_key: privateKey,
    client_email: `${name}@${project}.iam.gserviceaccount.com`,
    token_uri: 'https://oauth2.googleapis.com/token',
  })
}

/** The account of a key file. */
export function readServiceAccount(file: string): ServiceAccount {
  const read = JSON.parse(file) as { client_email: string; project_id: string; private_key: string }
  const publicKey = createPublicKey(read.private_key).export({ type: 'spki', format: 'pem' })
  return { email: read.client_email, project: read.project_id, publicKey: String(publicKey), file }
}
