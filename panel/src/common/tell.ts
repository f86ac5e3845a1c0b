import { notifications } from '@mantine/notifications'
import { toRefusal, wordsOf } from '../api/client.ts'

/** Tells in a corner of the page what was refused. `title`: what it means; `autoClose` false: until it is closed. */
export function tellRefusal(thrown: unknown, options: { title?: string; autoClose?: false } = {}): void {
  notifications.show({ color: 'red', message: wordsOf(toRefusal(thrown)), ...options })
}
