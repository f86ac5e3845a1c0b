/** SQL for the columns of a batch of one user whose copies wait: `phones` is how many. */
export function waitingCopies(phones: string): { columns: string; values: (user: string, at: string) => string } {
  const bytes = (byte: string, planes: number) => `repeat('${byte}', ${planes} * ${phones})`
  return {
    columns: 'user_ids, first_user, device_ids, facts, tickets, words, moments, created_at',
    values: (user, at) => `array[${user}], ${user}, array(select generate_series(1, ${phones})),
      decode(${bytes('00', 1)} || ${bytes('01', 1)} || ${bytes('00', 8)} || ${bytes('01', 1)}, 'hex'),
      array_fill('00000000-0000-0000-0000-000000000000'::uuid, array[${phones}]), '{expo ios}', array[${at}], ${at}`,
  }
}
