import { Button, Group, Input, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { TextField } from '../common/form.tsx'
import { ProductImage } from '../common/product-image.tsx'
import { Tool } from '../common/tool.tsx'
import { t } from '../translation/translate.ts'

/** A product may have this many. */
const MOST = 20

type ImagesFieldProps = { images: string[]; change: (images: string[]) => void; faults: string[] | undefined }

/** The addresses of a product's images. The first is shown in lists. */
export function ImagesField({ images, change, faults }: ImagesFieldProps) {
  const [typed, setTyped] = useState('')
  const [isRefused, setRefused] = useState(false)
  const swap = (place: number) => change(images.toSpliced(place, 2, images[place + 1]!, images[place]!))
  const address = typed.trim()
  const fault = address === '' ? undefined : findFault(images, address)
  const add = () => {
    setRefused(fault !== undefined)
    if (address === '' || fault !== undefined) return
    change([...images, address])
    setTyped('')
  }
  return (
    <Input.Wrapper
      label={t('Images')}
      description={t('The first is shown in lists.')}
      error={faults?.join(', ')}
      labelElement="div"
    >
      <Stack gap={6} mt={6} component="ol" p={0} style={{ listStyle: 'none' }} aria-label={t('Images')}>
        {images.map((image, place) => (
          <Group key={image} component="li" gap={6} wrap="nowrap">
            <ProductImage images={[image]} title="" size={40} />
            <Text size="sm" flex={1} truncate title={image}>
              {image}
            </Text>
            <Tool
              label={t('Image {place}: forward', { place: place + 1 })}
              icon={<IconArrowUp size={16} />}
              act={place > 0 && (() => swap(place - 1))}
            />
            <Tool
              label={t('Image {place}: back', { place: place + 1 })}
              icon={<IconArrowDown size={16} />}
              act={place < images.length - 1 && (() => swap(place))}
            />
            <Tool
              label={t('Image {place}: remove', { place: place + 1 })}
              icon={<IconX size={16} />}
              act={() => change(images.toSpliced(place, 1))}
            />
          </Group>
        ))}
      </Stack>
      <Group gap={6} mt={6} wrap="nowrap" align="flex-end">
        <TextField
          flex={1}
          label={t('Address of another image')}
          placeholder="https://"
          maxLength={2_000}
          // The form is not sent while an address is not added, which would be lost.
          ref={(input) =>
            input?.setCustomValidity(address === '' ? '' : (fault ?? t('Add this address, or empty the field.')))
          }
          faults={isRefused && fault !== undefined ? [fault] : undefined}
          value={typed}
          onType={setTyped}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey) return
            event.preventDefault()
            add()
          }}
        />
        <Button variant="default" disabled={address === ''} onClick={add}>
          {t('Add')}
        </Button>
      </Group>
    </Input.Wrapper>
  )
}

function findFault(images: string[], address: string): string | undefined {
  if (!/^https:\/\/\S+$/.test(address)) return t('An address that begins with https://')
  if (images.includes(address)) return t('This image is there already.')
  return images.length < MOST ? undefined : t('A product has at most {count} images.', { count: MOST })
}
