import { PageLink } from './page-link.tsx'

/** A user's name, which leads to their page. */
export function UserLink({ id, name, about }: { id: number; name: string; about?: string }) {
  return (
    <>
      <PageLink to={`/users/${id}`}>{name}</PageLink>
      {about !== undefined && <div className="about">{about}</div>}
    </>
  )
}
