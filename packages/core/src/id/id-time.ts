import { idPrefix } from "../schema/index.ts"

/** The 48 bits that an id holds of the time. */
export const maxTime = 0xffff_ffff_ffff

const pattern = /^([a-z]+)_([0-9a-f]{12})[0-9A-Za-z]{14}$/

/** When an id was made (epoch ms), or null for a text of another form. */
export function idTime(id: string): number | null {
  const [, prefix, digits = ""] = pattern.exec(id) ?? []
  if (prefix === undefined) return null
  const time = Number.parseInt(digits, 16)
  return prefix === idPrefix.session ? maxTime - time : time
}
