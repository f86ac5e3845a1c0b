/** The code of an error of the operating system, such as ENOENT; undefined when it carries none. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
