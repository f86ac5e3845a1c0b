import type { PushDeps } from '../push/deps.ts'

export type AdministrationDeps = PushDeps
