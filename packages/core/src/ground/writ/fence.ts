/** An open code fence: which character, how many. */
export interface Fence {
  mark: "`" | "~"
  length: number
}

/**
 * The fence state after a line. A fence opens on a line that starts with three or more backticks or tildes and
 * closes only on a line of the same character, at least as many, and nothing else (CommonMark 4.5, without its
 * indentation).
 */
export function fenceAfter(open: Fence | null, line: string): Fence | null {
  const mark = line.charAt(0)
  if (mark !== "`" && mark !== "~") return open
  let length = 1
  while (line.charAt(length) === mark) length += 1
  if (length < 3) return open
  if (open === null) return mark === "`" && line.indexOf("`", length) > 0 ? null : { mark, length }
  return open.mark === mark && length >= open.length && length === line.length ? null : open
}
