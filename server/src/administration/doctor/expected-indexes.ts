const CHANGE =
  /\bcreate\s+(?:unique\s+)?index\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?<made>\w+)\s+on\b|\bdrop\s+index\s+(?:concurrently\s+)?(?:if\s+exists\s+)?(?<dropped>[\w\s,]+)/gi
const COMMENT = /--.*$/gm

export function expectedIndexes(migrations: string[]): Set<string> {
  const names = new Set<string>()
  for (const text of migrations)
    for (const { groups = {} } of text.replaceAll(COMMENT, '').matchAll(CHANGE)) {
      const { made, dropped } = groups
      if (made !== undefined) names.add(made)
      for (const name of dropped?.split(/[\s,]+/) ?? []) names.delete(name)
    }
  return names
}
