import type { Generated, JSONColumnType } from 'kysely'
import type { Role } from './tables.ts'

export type AuditTables = {
  audit_log: {
    audit_id: number
    at: Date
    actor_id: number | null
    actor_role: Role | null
    action: string
    entity: string | null
    entity_id: number | null
    change_digest: string | null
    origin_digest: string | null
    previous_hash: string
    hash: string
    key_id: string
    /** How many equal calls the entry counts; null: one call. */
    times: number | null
    change_subject_id: number | null
    origin_subject_id: number | null
  }
  audit_head: {
    only_row: Generated<boolean>
    audit_id: number
    hash: string
    key_id: string
    mac: string
    told_id: Generated<number>
  }
  audit_keys: { key_id: string; secret_id: string; sealed: Buffer; registered_at: Date }
  audit_repeats: {
    fold_key: string
    actor_id: number | null
    actor_role: Role | null
    action: string
    entity: string | null
    entity_id: number | null
    targets: string[]
    times: number
    first_at: Date
    last_at: Date
    ends_at: Date
  }
  audit_details: {
    audit_id: number
    part: 'change' | 'origin'
    subject_id: number | null
    salt: string
    content: JSONColumnType<Record<string, unknown>>
  }
}
