/** Knuth-Morris-Pratt: for each prefix of the sequence, the length of its longest border. */
function borders(wanted: ArrayLike<number>): Int32Array {
  const border = new Int32Array(wanted.length)
  let length = 0
  for (let at = 1; at < wanted.length; at++) {
    while (length > 0 && wanted[at] !== wanted[length]) length = border[length - 1] ?? 0
    if (wanted[at] === wanted[length]) length++
    border[at] = length
  }
  return border
}

/** Where a sequence of numbers occurs in another one, overlapping places included. Takes linear time. */
export function* findSequence(all: ArrayLike<number>, wanted: ArrayLike<number>): Generator<number> {
  if (wanted.length === 0 || wanted.length > all.length) return
  const border = borders(wanted)
  let length = 0
  for (let at = 0; at < all.length; at++) {
    while (length > 0 && all[at] !== wanted[length]) length = border[length - 1] ?? 0
    if (all[at] === wanted[length]) length++
    if (length < wanted.length) continue
    yield at - wanted.length + 1
    length = border[length - 1] ?? 0
  }
}

/** Above this length `indexOf` can take quadratic time, for texts that repeat themselves. */
const MAX_INDEX_OF = 1_000

/**
 * Where a piece occurs in a text, in order. Takes linear time for any two texts.
 * @param overlapping whether a place may begin within the one before it
 */
export function* findText(text: string, piece: string, { overlapping = true } = {}): Generator<number> {
  let end = 0
  for (const at of placesOf(text, piece, overlapping ? 1 : piece.length)) {
    if (!overlapping && at < end) continue
    end = at + piece.length
    yield at
  }
}

function* placesOf(text: string, piece: string, step: number): Generator<number> {
  if (piece === "" || piece.length > text.length) return
  if (piece.length > MAX_INDEX_OF) {
    // One look tells most absent pieces apart, and costs less than two arrays of the texts' length.
    if (!text.includes(piece.slice(0, MAX_INDEX_OF))) return
    yield* findSequence(codes(text), codes(piece))
    return
  }
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + step)) yield at
}

function codes(text: string): Uint16Array {
  const numbers = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at++) numbers[at] = text.charCodeAt(at)
  return numbers
}
