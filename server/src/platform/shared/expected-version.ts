/** The versions that a change allows: any when undefined, none when empty (decision C6). */
export type Expected = readonly number[] | undefined

export function isExpected(expected: Expected, version: number): boolean {
  return expected === undefined || expected.includes(version)
}
