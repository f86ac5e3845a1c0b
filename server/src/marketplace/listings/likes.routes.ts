import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { requirePrincipal } from '../../platform/http/access.ts'
import { answers, Component, Id, Success, Timestamp } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { CursorPage, cursorPage, CursorQuery, createCursors, readLimit } from '../../platform/lists/cursor-page.ts'
import { Person, toPerson } from '../../platform/people/person.ts'
import { likeProduct, unlikeProduct, type Liked as LikedProduct } from '../likes/likes.ts'
import { ProductCard, toCard } from './cards.views.ts'
import { listLiked } from './liked.queries.ts'
import { findMatches, type Match } from './listings.ts'

const ById = Type.Object({ id: Id })

const Liked = Component('Like', {
  product_id: Type.Integer(),
  is_liked: Type.Literal(true),
  like_count: Type.Integer(),
  is_match: Type.Boolean({ description: 'You and the owner now like a product of each other.' }),
})
const Unliked = Type.Object({ product_id: Type.Integer(), is_liked: Type.Literal(false) })
const LikedCard = Type.Interface([ProductCard], { liked_at: Timestamp })

const MatchSchema = Component('Match', {
  user: Person,
  matched_at: Timestamp,
  my_products: Type.Array(ProductCard, { description: 'Your products that the other person likes; up to ten.' }),
  their_products: Type.Array(ProductCard, { description: 'The other person’s products that you like; up to ten.' }),
})

export function registerLikesRoutes(app: App, deps: PushDeps): void {
  app.put('/api/v1/products/:id/like', {
    config: { access: 'user' },
    schema: {
      operationId: 'likeProduct',
      summary: 'Like a product of somebody else; safe to repeat',
      params: ById,
      response: answers(200, Success(Liked), 404),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Product liked', view: toLiked }, (work) =>
        likeProduct(work, { productId: request.params.id }),
      ),
  })

  app.delete('/api/v1/products/:id/like', {
    config: { access: 'user' },
    schema: {
      operationId: 'unlikeProduct',
      summary: 'Remove a like; safe to repeat. A match remains',
      params: ById,
      response: answers(200, Success(Unliked)),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Like removed', view: toUnliked }, (work) =>
        unlikeProduct(work, { productId: request.params.id }),
      ),
  })

  registerLists(app, deps)
}

function registerLists(app: App, { db }: PushDeps): void {
  app.get('/api/v1/me/likes', {
    config: { access: 'user' },
    schema: {
      operationId: 'listMyLikes',
      summary: 'The products that you like, newest like first',
      querystring: Type.Object(CursorQuery),
      response: answers(200, CursorPage(LikedCard)),
    },
    handler: async (request) => {
      const limit = readLimit(request.query)
      const cursors = createCursors('likes', ['number', 'number'])
      const cards = await listLiked(db, {
        userId: requirePrincipal(request).userId,
        after: cursors.read(request.query),
        limit,
      })
      return cursorPage(cards, limit, {
        toCursor: ({ micros, product_id }) => cursors.write([micros, product_id]),
        view: (card) => ({ ...toCard(card), liked_at: card.liked_at }),
        message: 'Liked products',
      })
    },
  })

  app.get('/api/v1/matches', {
    config: { access: 'user' },
    schema: {
      operationId: 'listMyMatches',
      summary: 'People with whom you have a mutual like, newest match first',
      querystring: Type.Object(CursorQuery),
      response: answers(200, CursorPage(MatchSchema)),
    },
    handler: async (request) => {
      const limit = readLimit(request.query)
      const cursors = createCursors('matches', ['number', 'number'])
      const input = { userId: requirePrincipal(request).userId, after: cursors.read(request.query), limit }
      return cursorPage(await findMatches(db, input), limit, {
        toCursor: ({ row }) => cursors.write([row.micros, row.user_id]),
        view: toMatch,
        message: 'Matches',
      })
    },
  })
}

function toLiked({ productId, likes, matched }: LikedProduct) {
  return { product_id: productId, is_liked: true as const, like_count: likes, is_match: matched }
}

function toUnliked({ productId }: { productId: number }) {
  return { product_id: productId, is_liked: false as const }
}

function toMatch({ row, mine, theirs }: Match) {
  return {
    user: toPerson(row),
    matched_at: row.matched_at,
    my_products: mine.map(toCard),
    their_products: theirs.map(toCard),
  }
}
