import { notifications } from '@mantine/notifications'
import { t } from '../translation/translate.ts'

export function showThatItWaits(): void {
  notifications.show({ color: 'yellow', message: t('This waits for a second administrator. Nothing is done yet.') })
}
