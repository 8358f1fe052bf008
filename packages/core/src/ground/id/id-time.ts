import { idPrefix } from "../schema/id-prefix.ts"

/** The largest time that an id can hold (epoch ms): 48 bits. */
export const maxTime = 0xffff_ffff_ffff

/** Digits of the counter of an id and of its random end, in the order in which texts sort. */
export const idDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const pattern = /^([a-z]+)_([0-9a-f]{12})([0-9A-Za-z]{4})[0-9A-Za-z]{10}$/

/** When an id was made (epoch ms), or null for a text of another form. */
export function idTime(id: string): number | null {
  const [, prefix, digits = ""] = pattern.exec(id) ?? []
  if (prefix === undefined) return null
  const time = Number.parseInt(digits, 16)
  return prefix === idPrefix.session ? maxTime - time : time
}

/**
 * How many ids its source had made before in the same millisecond (of sessions, how many it could still make); 0 for a
 * text of another form.
 */
export function idCount(id: string): number {
  const digits = pattern.exec(id)?.[3] ?? ""
  return [...digits].reduce((count, digit) => count * idDigits.length + idDigits.indexOf(digit), 0)
}
