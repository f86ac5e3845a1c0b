import type { Deps } from '../../deps.ts'
import { recordAuditAlone, THE_SERVICE } from '../../platform/audit/audit.ts'
import { isKeyRegistered } from '../../platform/audit/keys.ts'
import { haltByHand, resumeSending } from '../pipeline/halt.ts'
import { namesOf } from '../provider/registry.ts'

type Options = Record<string, string | undefined>
type Outcome = { text: string; isGood: boolean }

const REASON_MAX = 500

/**
 * `npm run manage -- halt --reason TEXT [--provider NAME]`: halts sending when nobody can reach the API. It leaves an
 * audit entry without an account, so it takes the secret that the service signs entries with.
 */
export const haltCommand = {
  doc: 'Halt sending within a second: --reason TEXT, by one provider with --provider NAME.',
  run: async (deps: Deps, options: Options): Promise<Outcome> => {
    const reason = options['reason']?.trim() ?? ''
    if (reason === '' || reason.length > REASON_MAX)
      return { text: `--reason takes why sending is halted, up to ${REASON_MAX} characters.`, isGood: false }
    const chosen = await chosenProviders(deps, options)
    if ('fault' in chosen) return { text: chosen.fault, isGood: false }
    await haltByHand(deps, THE_SERVICE, { providers: chosen.providers, reason })
    return { text: `Sending by ${chosen.providers.join(', ')} is halted.`, isGood: true }
  },
}

/** `npm run manage -- resume [--provider NAME]`: resumes sending after a halt, and the campaigns that it paused. */
export const resumeCommand = {
  doc: 'Resume sending after a halt, by one provider with --provider NAME.',
  run: async (deps: Deps, options: Options): Promise<Outcome> => {
    const chosen = await chosenProviders(deps, options)
    if ('fault' in chosen) return { text: chosen.fault, isGood: false }
    const { providers } = chosen
    const resumed = await resumeSending(deps, providers)
    const change = { before: null, after: { providers }, subjectId: null }
    await recordAuditAlone(deps, THE_SERVICE, { action: 'sending.resume', entity: 'sending', change })
    return { text: `Sending by ${providers.join(', ')} is resumed; ${resumed} campaigns go on.`, isGood: true }
  },
}

async function chosenProviders(
  deps: Deps,
  { provider }: Options,
): Promise<{ providers: string[] } | { fault: string }> {
  if (!(await isKeyRegistered(deps)))
    return {
      fault: 'Give the AUDIT_SECRET or JWT_SECRET of the service: the audit log takes no other. Nothing changed.',
    }
  const names = namesOf(deps.providers)
  if (provider === undefined) return { providers: names }
  return names.includes(provider) ? { providers: [provider] } : { fault: `--provider takes ${names.join(' or ')}.` }
}
