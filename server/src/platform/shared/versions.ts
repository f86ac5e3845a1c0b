/**
 * The versions of a record that a change may find: any when undefined, none of all when empty (decision C6). A change that
 * finds another is answered with 412 and the record as it is.
 */
export type Expected = readonly number[] | undefined

/** True when the record has a version that the change may find. */
export function isExpected(expected: Expected, version: number): boolean {
  return expected === undefined || expected.includes(version)
}
