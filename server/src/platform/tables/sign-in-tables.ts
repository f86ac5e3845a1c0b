import type { Generated } from 'kysely'

export type SignInTables = {
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
