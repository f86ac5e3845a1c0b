import type { PushDeps } from '../deps.ts'
import { listNames } from '../provider/registry.ts'
import { keepAlert } from './alerts.ts'
import { listUnconfiguredWithWork } from './unconfigured.queries.ts'

/** Pushes wait for a provider that was taken out of the settings; nothing else tells of it. */
export async function watchUnconfigured(deps: PushDeps): Promise<void> {
  const names = await listUnconfiguredWithWork(deps.db, listNames(deps.providers))
  const detail =
    `Pushes wait for ${names.join(', ')}, which is not configured. ` +
    'Add it to PUSH_PROVIDERS_FILE again, or leave them until their messages expire.'
  await keepAlert(deps, { code: 'ProviderNotConfigured', detail }, names.length > 0)
}
