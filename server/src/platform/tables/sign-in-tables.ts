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
  pending_sign_ins: { token_hash: Buffer; user_id: number; password_mark: Buffer; expires_at: Date }
}
