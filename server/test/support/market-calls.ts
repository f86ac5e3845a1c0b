import type { Call } from './calls.ts'
import type { GivenUser } from './given.ts'
import { givenProduct } from './marketplace.ts'
import { givenCategory } from './product-reports.ts'
import type { Service } from './service.ts'

/** Products in the states in which the calls of the app find them: four of the caller's, and one of another. */
export type MarketWorld = {
  draftId: number
  activeId: number
  pausedId: number
  spareId: number
  otherId: number
  sellerId: number
  categoryId: number
}

export async function givenMarketWorld({ deps, given }: Service, owner: GivenUser): Promise<MarketWorld> {
  const seller = await given.user()
  return {
    draftId: await givenProduct(deps, owner, { status: 'draft', verification: 'pending' }),
    activeId: await givenProduct(deps, owner),
    pausedId: await givenProduct(deps, owner, { status: 'paused' }),
    spareId: await givenProduct(deps, owner),
    otherId: await givenProduct(deps, seller),
    sellerId: seller.userId,
    categoryId: await givenCategory(deps),
  }
}

/** The calls of products, likes and reports by the app. */
export function createMarketCalls(world: MarketWorld): Record<string, Call> {
  const { draftId, activeId, pausedId, spareId, otherId, sellerId, categoryId } = world
  const products = '/api/v1/products'
  const product = { title: 'A lamp', description: 'It shines.', category_id: categoryId, condition: 'good' }
  return {
    [`GET ${products}`]: get(`${products}?search=lamp&sort=most_liked`),
    [`POST ${products}`]: { ...post(products, 201), payload: product },
    [`GET ${products}/:id`]: get(`${products}/${otherId}`),
    [`PATCH ${products}/:id`]: {
      method: 'PATCH',
      url: `${products}/${activeId}`,
      payload: { images: ['https://images.example/1.jpg'] },
      status: 200,
    },
    [`POST ${products}/:id/submit`]: post(`${products}/${draftId}/submit`),
    [`POST ${products}/:id/pause`]: post(`${products}/${activeId}/pause`),
    [`POST ${products}/:id/resume`]: post(`${products}/${pausedId}/resume`),
    [`DELETE ${products}/:id`]: { method: 'DELETE', url: `${products}/${spareId}`, status: 200 },
    [`PUT ${products}/:id/like`]: { method: 'PUT', url: `${products}/${otherId}/like`, status: 200 },
    [`DELETE ${products}/:id/like`]: { method: 'DELETE', url: `${products}/${otherId}/like`, status: 200 },
    [`POST ${products}/:id/report`]: {
      ...post(`${products}/${otherId}/report`, 201),
      payload: { reason: 'scam', details: 'It is a picture from a catalogue.' },
    },
    'GET /api/v1/me/products': get('/api/v1/me/products?status=active'),
    'GET /api/v1/users/:id': get(`/api/v1/users/${sellerId}`),
  }
}

function get(url: string): Call {
  return { method: 'GET', url, status: 200 }
}

function post(url: string, status = 200): Call {
  return { method: 'POST', url, status }
}
