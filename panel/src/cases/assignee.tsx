import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { api, readBody, ifVersion } from '../api/client.ts'
import { useMay, useSession } from '../api/session.ts'
import { DialogButton } from '../common/dialog-button.tsx'
import { Form } from '../common/form.tsx'
import { useCall } from '../common/use-call.ts'
import { UserPicker, type PickedUser } from '../common/user-picker.tsx'
import type { ProductReport, UserReport } from './reasons.ts'
import { t } from '../translation/translate.ts'

type AssigneeProps = {
  report: ProductReport | UserReport
  about: 'reported-product' | 'reported-users'
  /** The first word of the key of the query that shows the report. */
  queryKey: string
}

function assign({ report, about }: AssigneeProps, assigneeId: number): Promise<{ data: unknown }> {
  const params = { path: { report_id: report.id } }
  const call = { params, body: { assignee_id: assigneeId }, headers: ifVersion(report.version) }
  return readBody<{ data: unknown }>(
    about === 'reported-product'
      ? api.POST('/api/admin/v1/report/reported-product/{report_id}/assign', call)
      : api.POST('/api/admin/v1/report/reported-users/{report_id}/assign', call),
  )
}

/** Shows who has an open report. A moderator can take it; somebody who may read accounts can also give it away. */
export function Assignee(props: AssigneeProps) {
  const { status, assigned_to: assigned } = props.report
  const { id } = useSession()
  const mayGive = useMay('users')
  const take = useCall(() => assign(props, id), { done: t('You have the report.'), refresh: [props.queryKey] })
  const isDecided = status === 'actioned' || status === 'dismissed'
  return (
    <Group gap={6}>
      <Text size="sm">{assigned?.name ?? t('nobody')}</Text>
      {!isDecided && (
        <Group gap={6} wrap="nowrap">
          {assigned?.user_id !== id && (
            <Button size="compact-sm" variant="default" loading={take.isPending} onClick={() => take.mutate()}>
              {t('Take')}
            </Button>
          )}
          {mayGive && (
            <DialogButton
              size="compact-sm"
              variant="subtle"
              opens={t('Give…')}
              heading={t('Give the report to a moderator')}
            >
              {(close) => <GiveForm {...props} close={close} />}
            </DialogButton>
          )}
        </Group>
      )}
    </Group>
  )
}

function GiveForm({ close, ...props }: AssigneeProps & { close: () => void }) {
  const [to, setTo] = useState<PickedUser>()
  const give = useCall((assigneeId: number) => assign(props, assigneeId), {
    done: t('{name} has the report.', { name: to?.name ?? '' }),
    refresh: [props.queryKey],
    isShown: true,
  })
  return (
    <Form
      call={give}
      submit={() => to !== undefined && give.mutate(to.id, { onSuccess: close })}
      label={t('Give it')}
      isReady={to !== undefined}
    >
      <UserPicker label={t('Moderator')} roles={['moderator', 'admin', 'super_admin']} value={to} onChange={setTo} />
    </Form>
  )
}
