import { Client, type QueryResultRow } from 'pg'

/** Runs each on one connection, and gives the rows of the last. */
export async function runSql<Row extends QueryResultRow = Record<string, unknown>>(
  url: string,
  ...statements: string[]
): Promise<Row[]> {
  const client = new Client(url)
  await client.connect()
  let rows: Row[] = []
  for (const statement of statements) rows = [await client.query<Row>(statement)].flat().at(-1)?.rows ?? []
  await client.end()
  return rows
}
