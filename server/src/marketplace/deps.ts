import type { PushDeps } from '../push/deps.ts'

export type MarketplaceDeps = PushDeps
