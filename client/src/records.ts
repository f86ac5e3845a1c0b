type Listed<Item> = {
  data: Item[]
  next_cursor?: string | null
  pagination?: { current_page: number; total_pages: number }
}

/**
 * The records of a list, which asks for the next page when the last one has been read. `input` is that of the first
 * page; a call that is refused ends the loop with its `Refusal`.
 *
 *     for await (const swap of records(api.listMySwaps)) …
 */
export async function* records<Item, Input extends { query?: object }>(
  call: (input: Input) => Promise<Listed<Item>>,
  input = {} as Input,
): AsyncGenerator<Item, void, undefined> {
  let query: object = { ...input.query }
  for (;;) {
    const { data, next_cursor: cursor, pagination } = await call({ ...input, query })
    yield* data
    if (typeof cursor === 'string') query = { ...query, cursor }
    else if (pagination && pagination.current_page < pagination.total_pages)
      query = { ...query, page: pagination.current_page + 1 }
    else return
  }
}
