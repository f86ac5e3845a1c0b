import type { Generated } from 'kysely'

export type MailKind =
  'password_forgotten' | 'password_changed' | 'address_confirm' | 'address_changed' | 'account_deleted'
export type TokenPurpose = 'password' | 'address'

export type AccountTables = {
  sessions: {
    session_id: string
    user_id: number
    created_at: Date
    /** It moves with each use of the session. */
    expires_at: Date
    /** The session ends then, however much it is used. */
    ends_at: Date
    revoked_at: Date | null
    revoked_reason: string | null
    /** The place it was opened from is stored as a keyed hash. */
    site: string | null
    /** The session was opened or continued with a second factor then. */
    second_factor_at: Date | null
    device: string | null
    network: string | null
    last_seen_at: Date | null
  }
  mails: {
    mail_id: Generated<number>
    kind: MailKind
    user_id: number | null
    address: string
    status: Generated<'waiting' | 'sent' | 'failed'>
    attempts: Generated<number>
    due_at: Date
    useful_until: Date
    created_at: Date
    ended_at: Date | null
    error: string | null
  }
  mail_tokens: { token_hash: Buffer; user_id: number; purpose: TokenPurpose; address: string; expires_at: Date }
  second_factors: {
    user_id: number
    key_id: string
    sealed: Buffer
    created_at: Date
    confirmed_at: Date | null
    last_step: number | null
  }
  recovery_codes: { user_id: number; code_hash: Buffer; used_at: Date | null }
  passkeys: {
    passkey_id: Generated<number>
    user_id: number
    credential_id: Buffer
    public_key: Buffer
    sign_count: number
    transports: string[]
    name: string
    created_at: Date
    last_used_at: Date | null
  }
  passkey_challenges: { user_id: number; purpose: 'add' | 'prove'; challenge_hash: Buffer; expires_at: Date }
  pending_sign_ins: {
    token_hash: Buffer
    user_id: number
    password_mark: Buffer
    expires_at: Date
    challenge_hash: Buffer | null
    for_panel: Generated<boolean>
  }
}
