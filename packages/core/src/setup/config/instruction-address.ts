/** Whether an entry of `instructions` is the address of a text; anything else is a path or a pattern of paths. */
export function isInstructionAddress(entry: string): boolean {
  return /^https?:\/\//i.test(entry)
}
