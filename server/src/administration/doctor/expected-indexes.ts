const CHANGE =
  /\bcreate\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?(?<made>\w+)\s+on\b|\bdrop\s+index\s+(?:if\s+exists\s+)?(?<dropped>[\w\s,]+)|\balter\s+index\s+(?:if\s+exists\s+)?(?<from>\w+)\s+rename\s+to\s+(?<to>\w+)|\busing\s+index\s+(?<used>\w+)/gi
const COMMENT = /--.*$/gm

export function expectedIndexes(migrations: string[]): Set<string> {
  const names = new Set<string>()
  for (const text of migrations)
    for (const { groups = {} } of text.replaceAll(COMMENT, '').matchAll(CHANGE)) {
      const { made, dropped, from, to, used } = groups
      if (made !== undefined) names.add(made)
      for (const name of dropped?.split(/[\s,]+/) ?? []) names.delete(name)
      if (from !== undefined && names.delete(from) && to !== undefined) names.add(to)
      // From then on it has the name of its constraint.
      if (used !== undefined) names.delete(used)
    }
  return names
}
