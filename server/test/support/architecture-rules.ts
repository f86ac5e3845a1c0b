/** Every rule of the architecture, in the order in which `survey` applies them. */
export const RULES = [
  'layers',
  'packages',
  'quarters',
  'halves',
  'environment',
  'writers',
  'write',
  'circle',
  'file circle',
  'deps',
  'room',
  'default export',
  'barrel',
  'any',
  'class',
  'module state',
  'length',
  'parameters',
  'width',
  'name',
] as const
export type Rule = (typeof RULES)[number]

/** How a fault is told. */
export function fault(rule: Rule, where: string, what: string): string {
  return `${rule}: ${where} ${what}`
}
