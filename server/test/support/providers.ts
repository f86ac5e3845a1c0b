import type { Deps } from '../../src/deps.ts'
import type { ProviderInUse } from '../../src/push/provider/registry.ts'

/** The parts of a process, and those of its first provider: what a lane of that provider is given. */
export type TestDeps = Deps & ProviderInUse

export function withFirstProvider(deps: Deps): TestDeps {
  return { ...deps, ...deps.providers[0] }
}
