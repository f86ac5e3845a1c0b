import { Type, type Static } from 'typebox'
import { Component, Nullable } from '../http/envelope.ts'

/** Other people never see an address, a telephone number or a status. */
export const Person = Component('Person', {
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
  avatar_url: Nullable(Type.String()),
  city: Nullable(Type.String()),
})

export type PersonRow = {
  user_id: number
  username: string
  name: string
  avatar_url: string | null
  city: string | null
}

export function toPerson({ user_id, username, name, avatar_url, city }: PersonRow): Static<typeof Person> {
  return { id: user_id, username, name, avatar_url, city }
}

export const ImageUrl = Type.String({
  format: 'uri',
  pattern: '^https://',
  'x-fault': 'must begin with https://',
  maxLength: 2_000,
})
