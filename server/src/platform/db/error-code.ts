/** The code of an error of the system or of PostgreSQL, such as ENOENT or 57P03; undefined when it carries none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
