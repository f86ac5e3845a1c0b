import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'certificates')

/**
 * The authority that signed the doubles' certificate for localhost, as PEM. Its key exists nowhere, and it can vouch
 * for names of this machine only, so that trusting it endangers nobody.
 */
const AUTHORITY_FILE = join(FOLDER, 'authority.pem')
export const AUTHORITY = readFileSync(AUTHORITY_FILE, 'utf8')

/** The certificate and its key, for the options of a TLS server. */
export const LOCALHOST = {
  cert: readFileSync(join(FOLDER, 'localhost.pem'), 'utf8'),
  key: readFileSync(join(FOLDER, 'localhost-key.pem'), 'utf8'),
}
