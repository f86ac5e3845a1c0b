import { Center, Image } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { t } from '../translation/translate.ts'

export function ProductImage({ images, title, size }: { images: string[]; title: string; size: number | string }) {
  const [first] = images
  const radius = 'var(--mantine-radius-sm)'
  if (first === undefined)
    return (
      <Center w={size} h={size} bg="var(--mantine-color-default-hover)" style={{ borderRadius: radius, flexShrink: 0 }}>
        <IconPhoto size={20} aria-label={t('No image')} />
      </Center>
    )
  return (
    <Image
      src={first}
      alt={title}
      w={size}
      h={size}
      radius="sm"
      fit="cover"
      loading="lazy"
      fallbackSrc={NO_IMAGE}
      style={{ flexShrink: 0 }}
    />
  )
}

const NO_IMAGE =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80"><rect width="80" height="80" fill="#868e96" opacity=".2"/><path d="M20 56l14-18 10 12 8-9 10 15z" fill="#868e96"/></svg>',
  )
