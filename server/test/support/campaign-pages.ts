import { expect } from 'vitest'
import type { Service } from './service.ts'

const URL = '/api/admin/promotional-notifications'

/** A page as the API answers it. */
export type CampaignPage<Item> = {
  data: Item[]
  pagination: { current_page: number; total_pages: number; total_items: number; per_page: number }
}

/** A recipient of a campaign. */
export type RecipientRow = {
  notification_id: number
  user_id: number
  name: string
  email: string
  device_id: string
  platform: string
}

/** Asks for the list of campaigns, or for what is below it. */
export async function getCampaigns({ app, given }: Service, path = '', query: Record<string, string | number> = {}) {
  const { headers } = await given.admin()
  return app.inject({ url: `${URL}${path}`, query: query as Record<string, string>, headers })
}

export async function readCampaignPage<Item>(service: Service, path: string, query: Record<string, string | number>) {
  const answer = await getCampaigns(service, path, query)
  expect(answer.statusCode).toBe(200)
  return answer.json<CampaignPage<Item>>()
}
