import { useQueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'
import { PageLink } from './page-link.tsx'

/** A user's name, which leads to their page for who may see that. */
export function UserLink({ id, name, about }: { id: number; name: string; about?: string }) {
  // Only read: a list has hundreds of names, and none of them has to follow the session.
  const session = useQueryClient().getQueryData(sessionQuery.queryKey)
  const isLink = session?.user.permissions.includes('users') ?? false
  return (
    <>
      {isLink ? <PageLink to={`/users/${id}`}>{name}</PageLink> : name}
      {about !== undefined && <div className="about">{about}</div>}
    </>
  )
}
