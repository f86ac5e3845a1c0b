import type { Platform } from '../../platform/tables/tables.ts'

/** `other`: the phone's other address, with its provider. */
export type Way = { provider: string; platform: Platform; other?: { provider: string } | undefined }

/** The way of a copy as a word: provider, platform, and the provider of the phone's other address, if it has one. */
export function toWay({ provider, platform, other }: Way): string {
  return other === undefined ? `${provider} ${platform}` : `${provider} ${platform} ${other.provider}`
}
