import { generateKeyPairSync, randomBytes } from 'node:crypto'

/** A key as Google Cloud gives it, and the half of it that Google keeps. */
export type ServiceAccount = { email: string; project: string; publicKey: string; file: string }

export function makeServiceAccount(project: string, name = 'swapbell-push'): ServiceAccount {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const email = `${name}@${project}.iam.gserviceaccount.com`
  const file = JSON.stringify({
    type: 'service_account',
    project_id: project,
    private_key_id: randomBytes(20).toString('hex'),
    private_key: privateKey,
    client_email: email,
    token_uri: 'https://oauth2.googleapis.com/token',
  })
  return { email, project, publicKey, file }
}
