import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Component, Nullable, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { withVersion } from '../../platform/http/etag.ts'
import {
  CursorPage,
  cursorPage,
  CursorQuery,
  createCursors,
  NextCursor,
  writeRows,
} from '../../platform/lists/cursor-page.ts'
import { readSearch } from '../../platform/lists/listing.ts'
import { sharedAnswers } from '../../platform/lists/shared-answers.ts'
import { Person, toPerson } from '../../platform/people/person.ts'
import { ProductCard, toCard } from './cards.views.ts'
import type { Card } from './cards.queries.ts'
import { browse, countedCategories, buildPublicPage } from './listings.ts'
import { ProductDetails, toProductDetails } from './product-page.views.ts'
import { productFor } from './product-page.ts'
import { must } from '../../platform/shared/must.ts'
import { CONDITIONS } from '../../platform/shared/words.ts'

const CURSORS = {
  newest: createCursors('products newest', ['number']),
  most_liked: createCursors('products most_liked', ['number', 'number']),
}

const BrowseQuery = Type.Object({
  ...CursorQuery,
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Up to eight words. The title or the description must contain each of them; upper and lower case are equal. A word of three letters or more also matches the beginning of a longer word.',
    }),
  ),
  category: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Slug or id of a category; its subcategories are included.',
    }),
  ),
  city: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'The city; upper and lower case are equal.' }),
  ),
  condition: Type.Optional(Type.Enum(CONDITIONS)),
  sort: Type.Optional(Type.Enum(['newest', 'most_liked'], { description: 'Default `newest`.' })),
})

const CountedCategory = Component('CategoryCount', {
  id: Type.Integer(),
  parent_id: Nullable(Type.Integer()),
  slug: Type.String(),
  name: Type.String(),
  products: Type.Integer({ description: 'Listed products of it and of those below it.' }),
})

const PublicPerson = Type.Interface([Person], {
  member_since: Timestamp,
  completed_swaps: Type.Integer(),
  product_count: Type.Integer({ description: 'The number of listed products.' }),
  products: Type.Array(ProductCard),
  next_cursor: NextCursor,
})

export function registerListingsRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/v1/products', {
    access: 'user',
    operationId: 'browseProducts',
    summary: 'Products of others that you can ask for in a swap now',
    querystring: BrowseQuery,
    response: answers(200, CursorPage(ProductCard)),
    handler: async (request) => {
      const { query } = request
      const { category, city, condition, sort = 'newest' } = query
      const page = { viewerId: request.caller.userId, by: sort, ...CURSORS[sort].readPage(query) }
      const cards = await browse(deps, { search: readSearch(query), category, city, condition }, page)
      const toCursor = (card: Card) =>
        sort === 'newest'
          ? CURSORS.newest.write([requirePlace(card)])
          : CURSORS.most_liked.write([card.like_count, requirePlace(card)])
      return cursorPage(cards, page, { toCursor, view: toCard, message: 'Products' })
    },
  })

  registerRoute(app, 'GET /api/v1/products/:id', {
    access: 'user',
    operationId: 'viewProduct',
    summary: 'A product as its screen shows it; for your own product also what others cannot see',
    response: answers(200, Success(ProductDetails), 404),
    handler: async (request, reply) => {
      const page = await productFor(deps.db, request.caller.userId, request.params.id)
      if (page.own !== null) withVersion(reply, page.row)
      return ok(toProductDetails(page), 'Product')
    },
  })

  const answer = sharedAnswers(async (_question: 'all') => {
    const categories = await countedCategories(deps.db)
    const views = categories.map(({ category_id: id, ...category }) => ({ id, ...category }))
    return ok(views, 'Categories')
  })
  registerRoute(app, 'GET /api/v1/categories', {
    access: 'user',
    operationId: 'browseCategories',
    summary: 'All categories by name, with the number of products listed in each',
    response: answers(200, Success(Type.Array(CountedCategory))),
    handler: async (_request, reply) => answer(reply, 'all'),
  })

  registerPublicPage(app, deps)
}

function registerPublicPage(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/v1/users/:id', {
    access: 'user',
    operationId: 'viewPerson',
    summary: 'A person and the products they list, newest first',
    querystring: Type.Object(CursorQuery),
    response: answers(200, Success(PublicPerson), 404),
    handler: async (request) => {
      const { id: userId } = request.params
      const cursors = createCursors(`products of ${userId}`, ['number'])
      const { after, limit } = cursors.readPage(request.query)
      const input = { viewerId: request.caller.userId, userId, after, limit }
      const { person, cards } = await buildPublicPage(deps, input)
      const toCursor = (card: Card) => cursors.write([requirePlace(card)])
      const { data: products, next_cursor } = writeRows(cards, { limit }, { toCursor, view: toCard })
      const { created_at: member_since, completed_swaps, products: product_count } = person
      return ok({ ...toPerson(person), member_since, completed_swaps, product_count, products, next_cursor }, 'Person')
    },
  })
}

/** A product in a list was listed once, so it has a place. */
function requirePlace({ listing_id }: Card): number {
  return must(listing_id, 'place of a listed product')
}
