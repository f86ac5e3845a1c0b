import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Component, Success, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { CursorPage, CursorQuery, createCursors } from '../../platform/lists/cursor-page.ts'
import { Person, toPerson } from '../../platform/people/person.ts'
import { likeProduct, unlikeProduct } from '../likes/likes.ts'
import { ProductCard, toCard } from './cards.views.ts'
import { listLiked } from './liked.queries.ts'
import { findMatches, type Match } from './listings.ts'

const LIKES = createCursors('likes', ['number', 'number'])
const MATCHES = createCursors('matches', ['number', 'number'])

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
  registerChange(app, deps, 'PUT /api/v1/products/:id/like', {
    access: 'user',
    operationId: 'likeProduct',
    summary: 'Like a product of somebody else; safe to repeat',
    response: answers(200, Success(Liked), 404),
    message: 'Product liked',
    rule: (work, { params }) => likeProduct(work, { productId: params.id }),
    view: ({ productId, likes, matched }) => ({
      product_id: productId,
      is_liked: true as const,
      like_count: likes,
      is_match: matched,
    }),
  })

  registerChange(app, deps, 'DELETE /api/v1/products/:id/like', {
    access: 'user',
    operationId: 'unlikeProduct',
    summary: 'Remove a like; safe to repeat. A match remains',
    response: answers(200, Success(Unliked)),
    message: 'Like removed',
    rule: (work, { params }) => unlikeProduct(work, { productId: params.id }),
    view: ({ productId }) => ({ product_id: productId, is_liked: false as const }),
  })

  registerLists(app, deps)
}

function registerLists(app: App, { db }: PushDeps): void {
  registerRoute(app, 'GET /api/v1/me/likes', {
    access: 'user',
    operationId: 'listMyLikes',
    summary: 'The products that you like, newest like first',
    querystring: Type.Object(CursorQuery),
    response: answers(200, CursorPage(LikedCard)),
    handler: async (request) => {
      const page = LIKES.readPage(request.query)
      const cards = await listLiked(db, { userId: request.caller.userId, ...page })
      return LIKES.writePage(cards, page, {
        keys: ['micros', 'product_id'],
        view: (card) => ({ ...toCard(card), liked_at: card.liked_at }),
        message: 'Liked products',
      })
    },
  })

  registerRoute(app, 'GET /api/v1/matches', {
    access: 'user',
    operationId: 'listMyMatches',
    summary: 'People with whom you have a mutual like, newest match first',
    querystring: Type.Object(CursorQuery),
    response: answers(200, CursorPage(MatchSchema)),
    handler: async (request) => {
      const page = MATCHES.readPage(request.query)
      const matches = await findMatches(db, { userId: request.caller.userId, ...page })
      return MATCHES.writePage(matches, page, { keys: ['micros', 'user_id'], view: toMatch, message: 'Matches' })
    },
  })
}

function toMatch(match: Match) {
  return {
    user: toPerson(match),
    matched_at: match.matched_at,
    my_products: match.mine.map(toCard),
    their_products: match.theirs.map(toCard),
  }
}
