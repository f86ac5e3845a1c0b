/** How often each byte below `size` occurs. An iterator or a Set would make an object a byte. */
export function tally(plane: Uint8Array, size: number): number[] {
  const counts = Array<number>(size).fill(0)
  for (let place = 0; place < plane.length; place++) counts[plane[place]!]!++
  return counts
}
