import { Button, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core'
import type { PasswordInputProps, TextareaProps, TextInputProps } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { toRefusal } from '../api/refusal.ts'
import { Failure } from './states.tsx'
import { NO_CALL, useFormProps, type Call } from './typed.ts'

type FormProps = {
  /** Absent where nothing is sent. */
  call?: Call
  submit: () => void
  /** What the button says, and its colour: `quiet` for one of several forms on a page. */
  label: string
  color?: 'cyan' | 'red' | 'yellow' | 'quiet'
  isReady?: boolean
  /** The fields that show their own errors; errors of other fields are shown above the form. */
  fields?: string[]
  name?: string
  children?: ReactNode
}

/** A form with one button, which shows why a call was refused. */
export function Form({
  call = NO_CALL,
  submit,
  label,
  color = 'cyan',
  isReady = true,
  fields = [],
  name,
  children,
}: FormProps) {
  const refused = Object.keys(toFieldFaults(call.error))
  const isToldByFields = refused.length > 0 && refused.every((field) => fields.includes(field))
  return (
    <form aria-label={name} {...useFormProps(submit, call)}>
      <Stack>
        {children}
        {call.error !== null && !isToldByFields && <Failure thrown={call.error} />}
        <Button
          type="submit"
          {...(color === 'quiet' ? { variant: 'default' } : { color })}
          loading={call.isPending}
          disabled={!isReady}
        >
          {label}
        </Button>
      </Stack>
    </form>
  )
}

/** What the API finds wrong with each field of a call. */
export function toFieldFaults(error: unknown): Record<string, string[]> {
  return error === null ? {} : toRefusal(error).fields
}

/**
 * What is typed into the fields of a form. `field(name, call)`: the props of a field, with what the call's answer finds
 * wrong with it.
 */
export function useFields<Fields extends Record<string, unknown>>(begin: Fields) {
  const [typed, setTyped] = useState(begin)
  const change = (part: Partial<Fields>) => setTyped((before) => ({ ...before, ...part }))
  const field = (name: keyof Fields & string, { error }: Pick<Call, 'error'>) => ({
    value: String(typed[name] ?? ''),
    faults: toFieldFaults(error)[name],
    onType: (text: string) => change({ [name]: text } as Partial<Fields>),
  })
  return { typed, change, field, clear: () => setTyped(begin) }
}

type Typed<Props> = Omit<Props, 'onChange' | 'error'> & {
  onType: (text: string) => void
  faults?: string[] | undefined
}

export function TextField({ onType, faults, ...props }: Typed<TextInputProps>) {
  return (
    <TextInput {...props} error={faults?.join(', ')} onChange={({ currentTarget }) => onType(currentTarget.value)} />
  )
}

export function TextArea({ onType, faults, ...props }: Typed<TextareaProps>) {
  return (
    <Textarea {...props} error={faults?.join(', ')} onChange={({ currentTarget }) => onType(currentTarget.value)} />
  )
}

export function PasswordField({ onType, faults, ...props }: Typed<PasswordInputProps>) {
  return (
    <PasswordInput
      required
      {...props}
      error={faults?.join(', ')}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
    />
  )
}
