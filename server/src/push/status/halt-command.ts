import type { Command, Options } from '../../platform/process/command.ts'
import type { PushDeps } from '../deps.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { errors } from '../../platform/shared/errors.ts'
import { haltByHand, resumeByHand } from '../pipeline/halt.ts'
import { listProviderNames } from '../provider/provider-state.queries.ts'

const REASON_MAX = 500

/** It is for when nobody can reach the API. Its audit entry has no account, so it takes the secret that signs
 * entries. */
export const haltCommand = {
  doc: 'Halt sending within a second.',
  options: {
    reason: { takes: 'TEXT', isRequired: true, doc: `Why, up to ${REASON_MAX} characters.` },
    provider: { takes: 'NAME', doc: 'By this provider alone.' },
  },
  isAudited: true,
  run: async (deps, options) => {
    const reason = options['reason']?.trim() ?? ''
    if (reason === '' || reason.length > REASON_MAX)
      throw errors.badRequest(`--reason takes why sending is halted, up to ${REASON_MAX} characters.`)
    const providers = await chosenProviders(deps, options)
    await haltByHand(deps, THE_SERVICE, { providers, reason })
    return { text: `Sending by ${providers.join(', ')} is halted.`, isGood: true }
  },
} satisfies Command<PushDeps>

export const resumeCommand = {
  doc: 'Resume sending after a halt, and the campaigns that it paused.',
  options: { provider: { takes: 'NAME', doc: 'By this provider alone.' } },
  isAudited: true,
  run: async (deps, options) => {
    const providers = await chosenProviders(deps, options)
    const resumed = await resumeByHand(deps, THE_SERVICE, providers)
    return { text: `Sending by ${providers.join(', ')} is resumed; ${resumed} campaigns go on.`, isGood: true }
  },
} satisfies Command<PushDeps>

/** The database names them: the settings of a command may differ from those of the service, or be faulty. */
async function chosenProviders({ db }: PushDeps, { provider }: Options): Promise<string[]> {
  const names = await listProviderNames(db)
  if (provider === undefined) return names
  if (!names.includes(provider)) throw errors.badRequest(`--provider takes ${names.join(' or ')}.`)
  return [provider]
}
