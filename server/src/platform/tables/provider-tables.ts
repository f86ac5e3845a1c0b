import type { Generated } from 'kysely'
import type { BreakerState } from './tables.ts'

export type ProviderTables = {
  provider_state: {
    provider: string
    pace_free_at: Date
    busy_until: Date
    slow_until: Date
    ramp_from: Date
    breaker: BreakerState
    breaker_code: string | null
    breaker_since: Date | null
    resumed_at: Date
    retry_at: Date | null
    openings: number
    failures_in_row: number
    window_started_at: Date
    window_requests: number
    window_failures: number
    results: number
    results_gone: number
    earlier_results: number
    earlier_gone: number
    halted_by: number | null
    halt_reason: string | null
  }
  alerts: {
    alert_id: Generated<number>
    code: string
    detail: string
    raised_at: Date
    last_seen_at: Date
    times: Generated<number>
    providers: Generated<string[]>
    resolved_at: Date | null
  }
}
