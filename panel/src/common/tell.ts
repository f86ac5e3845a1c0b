import { notifications } from '@mantine/notifications'
import { toRefusal, describeRefusal } from '../api/refusal.ts'

/** Says in a corner of the page what was done. */
export function tellDone(message: string): void {
  notifications.show({ color: 'green', message })
}

/** Shows a refusal in a corner of the page. `title`: its meaning; `autoClose` false: until it is closed. */
export function tellRefusal(thrown: unknown, options: { title?: string; autoClose?: false } = {}): void {
  notifications.show({ color: 'red', message: describeRefusal(toRefusal(thrown)), ...options })
}
