/**
 * The versions of a record that a change allows: any when undefined, none when empty (decision C6). A change of another
 * version gets 412 with the present record.
 */
export type Expected = readonly number[] | undefined

export function isExpected(expected: Expected, version: number): boolean {
  return expected === undefined || expected.includes(version)
}
