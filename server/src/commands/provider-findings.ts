import { fail, ok, warn, type Finding } from '../administration/doctor/findings.ts'
import type { Place } from '../platform/process/command.ts'
import type { Db } from '../platform/db/connect.ts'
import type { Instance } from '../push/provider/configured-providers.ts'
import type { ShareToken } from '../push/provider/provider.ts'
import { listInstances, type ListInstances } from '../push/provider/registry.ts'
import { listUnconfigured } from '../push/status/unconfigured.queries.ts'

/** Asks each provider whether it answers to its key. */
export function providerFindings(place: Place, list: ListInstances = listInstances): Promise<Finding[]> {
  return Promise.all(list(place.config).map((instance) => providerFinding(place, instance)))
}

/** Finds providers that were taken out of the settings, while phones or work still name them. */
export async function unconfiguredFinding(db: Db, { config }: Pick<Place, 'config'>): Promise<Finding> {
  const names = listInstances(config).map(({ name }) => name)
  const found = (await listUnconfigured(db, names)).filter(({ hasWork, hasPhones }) => hasWork || hasPhones)
  if (found.length === 0) return ok('providers', 'All phones and all work are of configured providers.')
  const remarks = found.map(({ provider, hasWork, hasPhones }) => {
    const what = [...(hasPhones ? ['phones'] : []), ...(hasWork ? ['work'] : [])].join(' and ')
    return `${what} of ${provider}`
  })
  return warn(
    'providers',
    `Not configured: ${remarks.join(', ')}. Add it to PUSH_PROVIDERS_FILE, or nothing is sent there.`,
  )
}

// The doctor changes nothing, so it neither stores what it signs nor needs the database.
const signAlone: ShareToken = async (sign) => {
  const signedAt = new Date()
  return { token: await sign(signedAt), signedAt }
}

async function providerFinding({ config, log, faults, isLocal }: Place, instance: Instance): Promise<Finding> {
  const { place, placeSetting, key, create } = instance
  if (faults.some((fault) => fault.startsWith(`${placeSetting} `)))
    return warn('provider', `Not asked: ${placeSetting} is not valid.`)
  const timeoutMs = config.PUSH_TIMEOUT_SECONDS * 1_000
  const provider = create({ timeoutMs, log, clock: { now: Date.now }, share: signAlone })
  try {
    const health = await provider.probe()
    const code = 'code' in health ? health.code : health.kind
    const says = `The provider at ${place} does not answer as it should (${code}).`
    if (health.kind === 'misconfigured') {
      const refuses = instance.app === null ? 'The provider' : `The provider at ${place}`
      return fail('provider', `${refuses} refuses our credentials (${code}): ${health.advice ?? `correct ${key}.`}`)
    }
    if (health.kind === 'failing' && isLocal)
      return warn('provider', `${says} Set ${placeSetting} where npm start has another SIM_PORT.`)
    if (health.kind === 'failing') return fail('provider', `${says} Check the network, and its status page.`)
    if (health.kind === 'busy') return warn('provider', `${says} It asks to slow down.`)
    return ok('provider', `The provider at ${place} answers.`)
  } finally {
    await provider.close()
  }
}
