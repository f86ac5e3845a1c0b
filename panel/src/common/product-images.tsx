import { Center, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import {
  IconChevronLeft,
  IconChevronRight,
  IconPhoto,
  IconPhotoOff,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { Modal } from './modal.tsx'
import { useKeys } from '../shell/keys.tsx'
import { Tool } from './tool.tsx'
import { t } from '../translation/translate.ts'

const ZOOM = { least: 1, most: 8, step: 2 }
const RADIUS = { borderRadius: 'var(--mantine-radius-sm)' }

type ImagesProps = { images: string[]; title: string; size: number | string }

/** The images of a product, each whole, one at a time; a click or Enter shows it as large as the window. */
export function ProductImages({ images, title, size }: ImagesProps) {
  const [place, setPlace] = useState(0)
  const [isLarge, setLarge] = useState(false)
  const step = (by: number) => setPlace((now) => (now + by + images.length) % images.length)
  useKeys([
    { keys: 'arrowleft', does: t('Image before'), act: () => step(-1) },
    { keys: 'arrowright', does: t('Next image'), act: () => step(1) },
  ])
  const current = images[place]
  if (current === undefined)
    return (
      <Center w={size} h={size === '100%' ? 160 : size} bg="var(--mantine-color-default-hover)" style={RADIUS}>
        <NoImage icon={<IconPhoto aria-hidden />}>{t('No image')}</NoImage>
      </Center>
    )
  const name = t('{title}, image {place} of {count}', { title, place: place + 1, count: images.length })
  return (
    <Stack gap={4} w={size} maw="100%">
      <UnstyledButton
        className="image-frame"
        aria-label={t('Enlarge {image}', { image: name })}
        onClick={() => setLarge(true)}
      >
        <WholeImage key={current} src={current} name={name} />
      </UnstyledButton>
      {images.length > 1 && <Steps place={place} count={images.length} step={step} />}
      <Modal opened={isLarge} onClose={() => setLarge(false)} title={name} fullScreen>
        {isLarge && <LargeImage src={current} name={name} place={place} count={images.length} step={step} />}
      </Modal>
    </Stack>
  )
}

type StepsProps = { place: number; count: number; step: (by: number) => void; children?: ReactNode }

function Steps({ place, count, step, children }: StepsProps) {
  return (
    <Group justify="center" gap="xs">
      {count > 1 && <Tool size="lg" label={t('Image before')} icon={<IconChevronLeft />} act={() => step(-1)} />}
      <Text size="sm" role="status">
        {t('{place} of {count}', { place: place + 1, count })}
      </Text>
      {count > 1 && <Tool size="lg" label={t('Next image')} icon={<IconChevronRight />} act={() => step(1)} />}
      {children}
    </Group>
  )
}

type LargeProps = StepsProps & { src: string; name: string }

function LargeImage({ src, name, ...steps }: LargeProps) {
  const [zoom, setZoom] = useState(ZOOM.least)
  const zoomBy = (factor: number) => setZoom((now) => Math.min(ZOOM.most, Math.max(ZOOM.least, now * factor)))
  const acts: Record<string, () => void> = {
    ArrowLeft: () => steps.step(-1),
    ArrowRight: () => steps.step(1),
    '+': () => zoomBy(ZOOM.step),
    '-': () => zoomBy(1 / ZOOM.step),
    '0': () => setZoom(ZOOM.least),
  }
  const onKeyDown = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
    // A scrolled image moves by its arrow keys.
    const isScrolling = zoom > ZOOM.least && key.startsWith('Arrow')
    if (!ctrlKey && !metaKey && !isScrolling) acts[key]?.()
  }
  return (
    <Stack gap="xs" h="calc(100dvh - 92px)" onKeyDown={onKeyDown}>
      <Steps {...steps}>
        <Tool size="lg" label={t('Smaller')} icon={<IconZoomOut />} act={() => zoomBy(1 / ZOOM.step)} />
        <Tool size="lg" label={t('Larger')} icon={<IconZoomIn />} act={() => zoomBy(ZOOM.step)} />
        <Text size="sm" role="status">
          {`${zoom * 100} %`}
        </Text>
      </Steps>
      <div className="image-window" tabIndex={0} data-autofocus role="group" aria-label={name}>
        <div style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}>
          <WholeImage key={src} src={src} name={name} />
        </div>
      </div>
    </Stack>
  )
}

/** An image that is nowhere cut, or the words that it does not load. */
function WholeImage({ src, name }: { src: string; name: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken)
    return (
      <Center h="100%" bg="var(--mantine-color-default-hover)" style={RADIUS}>
        <NoImage icon={<IconPhotoOff aria-hidden />}>{t('This image cannot be loaded.')}</NoImage>
      </Center>
    )
  return <img className="whole-image" src={src} alt={name} onError={() => setBroken(true)} />
}

function NoImage({ icon, children }: { icon: ReactNode; children: string }) {
  return (
    <Stack align="center" gap={4} c="dimmed" p="xs">
      {icon}
      <Text size="sm" ta="center">
        {children}
      </Text>
    </Stack>
  )
}
