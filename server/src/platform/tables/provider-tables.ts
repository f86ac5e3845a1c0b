import type { Generated } from 'kysely'
import type { BreakerState, Platform } from './tables.ts'

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
  provider_platforms: {
    provider: string
    platform: Platform
    results: Generated<number>
    refused: Generated<number>
    mismatched: Generated<number>
    earlier_results: Generated<number>
    earlier_refused: Generated<number>
    earlier_mismatched: Generated<number>
    people: Generated<number[]>
    paused_since: Generated<Date | null>
    paused_code: Generated<string | null>
  }
  roll_outs: {
    provider: string
    share: number
    changed_at: Date
    changed_by: number | null
    returned_at: Date | null
    earlier_accepted: Generated<number>
    earlier_gone: Generated<number>
  }
  provider_tokens: { name: string; sealed: Buffer; signed_at: Date }
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
