import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { TextArea, TextField } from '../common/form.tsx'
import { PageHeader } from '../common/states.tsx'
import { t } from '../translation/translate.ts'
import { PhonePreview } from './phone-preview.tsx'

/** What a message says, as the API takes it. */
export type Content = { title: string; text: string; data?: { link: string } }

type Written = { title: string; text: string; link: string }

export type Draft = {
  content: Content
  isComplete: boolean
  written: Written
  write: (change: Partial<Written>) => void
  forget: () => void
}

const NOTHING: Written = { title: '', text: '', link: '' }

/** A message that is being written. The tab keeps it, for the same person, until it is sent. */
export function useDraft(kind: 'campaign' | 'system'): Draft {
  const key = `draft-${kind}-${useSession().id}`
  const [written, setWritten] = useState<Written>(() => ({
    ...NOTHING,
    ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Written>),
  }))
  useEffect(() => sessionStorage.setItem(key, JSON.stringify(written)), [key, written])
  const { title, text } = written
  const link = written.link.trim()
  return {
    content: { title, text, ...(link !== '' && { data: { link } }) },
    isComplete: title.trim() !== '' && text.trim() !== '',
    written,
    write: (change) => setWritten((before) => ({ ...before, ...change })),
    forget: () => setWritten(NOTHING),
  }
}

type DraftPageProps = {
  title: string
  about: string
  linkAbout?: string
  draft: Draft
  faults: Record<string, string[]>
  /** Its audience, and how it is sent. */
  children: ReactNode
}

/** A page on which a message is written, beside its preview on phones. */
export function DraftPage({ title, about, linkAbout, draft, faults, children }: DraftPageProps) {
  const { written, write } = draft
  return (
    <>
      <PageHeader title={title} about={about} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <TextField
            label={t('Title')}
            required
            maxLength={200}
            value={written.title}
            faults={faults['title']}
            onType={(text) => write({ title: text })}
            autoFocus
          />
          <TextArea
            label={t('Text')}
            required
            autosize
            minRows={3}
            maxLength={2_000}
            value={written.text}
            faults={faults['text']}
            onType={(text) => write({ text })}
          />
          <TextField
            label={t('Link')}
            description={linkAbout}
            value={written.link}
            faults={faults['data'] ?? faults['data.link']}
            onType={(link) => write({ link })}
          />
          {children}
        </Stack>
        <PhonePreview title={written.title} text={written.text} />
      </SimpleGrid>
    </>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  value: Value
  options: Record<Value, string>
  choose: (value: Value) => void
}

/** One of a few, all of them in sight. */
export function Choice<Value extends string>({ label, value, options, choose }: ChoiceProps<Value>) {
  const id = useId()
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id={id}>
        {label}
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        value={value}
        onChange={(chosen) => choose(chosen)}
        data={Object.entries<string>(options).map(([name, text]) => ({ value: name as Value, label: text }))}
      />
    </div>
  )
}
