import { Card, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { inWords } from '../common/labels.tsx'
import type { RowOf } from '../common/list-query.ts'
import { formatMoney } from '../common/money.ts'
import { UserLink } from '../common/people.tsx'
import { ProductImages } from '../common/product-images.tsx'

type Waiting = RowOf<'/api/admin/v1/add-product-verification'>
type VisibleField =
  'images' | 'description' | 'category' | 'condition' | 'estimated_value_cents' | 'currency' | 'city' | 'owner'

type ProductCardProps = {
  title: string
  heading?: ReactNode
  tag: ReactNode
  /** Undefined while it is loading. */
  product: Pick<Waiting, VisibleField> | undefined
  /** `above` and `below` stand around the description, `children` at the end of the card. */
  above?: ReactNode
  below?: ReactNode
  children?: ReactNode
}

/** A product that a moderator decides about, image first. */
export function ProductCard({ title, heading = title, tag, product, above, below, children }: ProductCardProps) {
  return (
    <Card withBorder component="article" aria-label={title}>
      <Group align="flex-start" wrap="wrap">
        {product === undefined ? (
          <Skeleton w={300} h={300} />
        ) : (
          <ProductImages images={product.images} title={title} size={300} />
        )}
        <Stack gap="xs" flex="1 1 260px" miw={0} className="wrap">
          <Group justify="space-between">
            <Text fw={600} fz="lg">
              {heading}
            </Text>
            {tag}
          </Group>
          {product && <About product={product} />}
          {above}
          <Text style={{ whiteSpace: 'pre-wrap' }}>{product?.description}</Text>
          {below}
        </Stack>
      </Group>
      {children}
    </Card>
  )
}

function About({
  product: { category, condition, city, owner, ...product },
}: {
  product: Pick<Waiting, VisibleField>
}) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {category.name} · {inWords(condition)} · {formatMoney(product.estimated_value_cents, product.currency)}
        {city === null ? '' : ` · ${city}`}
      </Text>
      <div>
        <UserLink id={owner.id} name={owner.name} about={`@${owner.username}`} />
      </div>
    </>
  )
}
