/** A place in a tree's sequence. On the wire: `<rootID>:<seq>`. */
export interface Cursor {
  rootID: string
  seq: number
}

/** Used as the root in the cursor of a subscription that follows no tree. */
export const noTree = "none"

export function formatCursor({ rootID, seq }: Cursor): string {
  return `${rootID}:${seq}`
}

/** Null for a text that is not a cursor of this server. */
export function parseCursor(text: string): Cursor | null {
  // At most 15 digits are always a safe integer.
  const match = /^([0-9A-Za-z_]{1,64}):(0|[1-9]\d{0,14})$/.exec(text)
  if (!match?.[1] || !match[2]) return null
  return { rootID: match[1], seq: Number(match[2]) }
}
