import { Link } from '@tanstack/react-router'
import { Text } from '@mantine/core'

/** A user's name, which leads to their page. */
export function UserLink({ id, name, about }: { id: number; name: string; about?: string }) {
  return (
    <>
      <Link to="/users/$id" params={{ id: String(id) }} search={{}} className="row-link">
        {name}
      </Link>
      {about !== undefined && (
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      )}
    </>
  )
}
