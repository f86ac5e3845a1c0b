/** How often each byte occurs. */
export function tally(plane: Uint8Array): Uint16Array {
  const counts = new Uint16Array(256)
  // An iterator would make an object a byte.
  for (let place = 0; place < plane.length; place++) counts[plane[place]!]!++
  return counts
}
