import { SegmentedControl, SimpleGrid, Stack, Text, useMatches } from '@mantine/core'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { TextArea, TextField } from '../common/form.tsx'
import { PageHeader } from '../common/states.tsx'
import { t } from '../translation/translate.ts'
import { isComplete, LanguageChoice, writtenIn, type TextLanguage, type Texts, type Words } from './languages.tsx'
import { PhonePreview } from './phone-preview.tsx'

/** What a message says, as the API takes it. */
export type Content = { title: string; text: string; data?: { link: string } }

type Written = Words & { link: string; texts: Texts }

export type Draft = {
  content: Content
  isComplete: boolean
  /** The users of some languages read these. */
  texts: Texts
  written: Written
  write: (change: Partial<Written>) => void
  forget: () => void
}

const NOTHING: Written = { title: '', text: '', link: '', texts: {} }

/** A message that is being written, until it is sent. */
export function useDraft(kind: 'campaign' | 'system'): Draft {
  const { kept: written, change: write, forget } = useKept(kind, NOTHING)
  const { title, text } = written
  const link = written.link.trim()
  return {
    content: { title, text, ...(link !== '' && { data: { link } }) },
    isComplete: isComplete(written),
    texts: writtenIn(written.texts),
    written,
    write,
    forget,
  }
}

/** What was written or chosen: the tab keeps it, for the same person, until it is forgotten. */
export function useKept<Value extends object>(name: string, nothing: Value) {
  const key = `draft-${name}-${useSession().id}`
  const [kept, setKept] = useState<Value>(() => ({
    ...nothing,
    ...(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Value>),
  }))
  useEffect(() => sessionStorage.setItem(key, JSON.stringify(kept)), [key, kept])
  return {
    kept,
    change: (change: Partial<Value>) => setKept((before) => ({ ...before, ...change })),
    forget: () => setKept(nothing),
  }
}

type DraftPageProps = {
  title: string
  about: string
  linkAbout?: string
  draft: Draft
  faults: Record<string, string[]>
  /** True for a message that has a text for each language. */
  hasLanguages?: boolean
  /** Its audience, and how it is sent. */
  children: ReactNode
}

/** A page on which a message is written, beside its preview on phones. */
export function DraftPage({ title, about, linkAbout, draft, faults, hasLanguages = false, children }: DraftPageProps) {
  const { written, write } = draft
  const [language, setLanguage] = useState<TextLanguage>()
  const current = hasLanguages ? language : undefined
  return (
    <>
      <PageHeader title={title} about={about} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          {hasLanguages && <LanguageChoice {...{ language }} written={draft.texts} choose={setLanguage} />}
          <MessageFields key={current} {...{ draft, faults }} language={current} />
          <TextField
            label={t('Link')}
            description={linkAbout}
            value={written.link}
            faults={faults['data'] ?? faults['data.link']}
            onType={(link) => write({ link })}
          />
          {children}
        </Stack>
        <PhonePreview {...wordsIn(written, current)} />
      </SimpleGrid>
    </>
  )
}

function wordsIn(written: Written, language: TextLanguage | undefined): Words {
  return language === undefined ? written : (written.texts[language] ?? NOTHING)
}

type MessageFieldsProps = { draft: Draft; faults: Record<string, string[]>; language: TextLanguage | undefined }

function MessageFields({ draft: { written, write }, faults, language }: MessageFieldsProps) {
  const { title, text } = wordsIn(written, language)
  const set = (change: Partial<Words>) =>
    write(language === undefined ? change : { texts: { ...written.texts, [language]: { title, text, ...change } } })
  const isMain = language === undefined
  return (
    <Stack lang={language}>
      <TextField
        label={t('Title')}
        required={isMain || text.trim() !== ''}
        maxLength={200}
        value={title}
        faults={isMain ? faults['title'] : undefined}
        onType={(typed) => set({ title: typed })}
        autoFocus={isMain}
      />
      <TextArea
        label={t('Text')}
        required={isMain || title.trim() !== ''}
        autosize
        minRows={3}
        maxLength={2_000}
        value={text}
        faults={isMain ? faults['text'] : undefined}
        onType={(typed) => set({ text: typed })}
      />
    </Stack>
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
  const orientation = useMatches({ base: 'vertical', xs: 'horizontal' } as const)
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id={id}>
        {label}
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        orientation={orientation}
        value={value}
        onChange={(chosen) => choose(chosen)}
        data={Object.entries<string>(options).map(([name, text]) => ({ value: name as Value, label: text }))}
      />
    </div>
  )
}
