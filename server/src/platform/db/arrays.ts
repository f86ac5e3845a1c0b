// The driver would escape each element as text: two regular expressions and a closure for every number.
export function int8Array(numbers: readonly (number | null)[]): string {
  return `{${numbers.map((number) => number ?? 'null').join(',')}}`
}
