/** A field that two people have changed differently since one of them opened the record. */
export type Conflict = { name: string; before: unknown; mine: unknown; theirs: unknown }

type Fields = Readonly<Record<string, unknown>>

/**
 * Merges two edits of one record, field by field. `before` is the record when the editing began, `mine` the edited
 * fields, `theirs` the record as it is now. Gives the fields to save over `theirs`: those that only I changed. Where
 * both changed a field to different values, there is a conflict, and it is not in `save`.
 */
export function mergeFields(before: Fields, mine: Fields, theirs: Fields): { save: Fields; conflicts: Conflict[] } {
  const names = Object.keys(mine).filter((name) => mine[name] !== before[name] && mine[name] !== theirs[name])
  const isTheirs = (name: string) => theirs[name] !== before[name]
  return {
    save: Object.fromEntries(names.filter((name) => !isTheirs(name)).map((name) => [name, mine[name]])),
    conflicts: names.filter(isTheirs).map((name) => ({
      name,
      before: before[name],
      mine: mine[name],
      theirs: theirs[name],
    })),
  }
}
