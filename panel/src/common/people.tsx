import { useQueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'
import { t } from '../translation/translate.ts'
import { PageLink } from './page-link.tsx'

/** A user's name. It is a link to the user's page for those who may open that page. */
export function UserLink({ id, name, about }: { id: number; name: string; about?: string }) {
  // It reads the session without following it: a list has hundreds of names, and a session changes rarely.
  const session = useQueryClient().getQueryData(sessionQuery.queryKey)
  const isLink = session?.user.permissions.includes('users') ?? false
  return (
    <>
      {isLink ? <PageLink to={`/users/${id}`}>{name}</PageLink> : name}
      {about !== undefined && <div className="about">{about}</div>}
    </>
  )
}

/** The name of somebody whose account may be deleted since. */
export function Person({ of, about }: { of: { id: number; name: string } | null; about?: string }) {
  return of === null ? t('a deleted account') : <UserLink {...of} {...(about !== undefined && { about })} />
}
