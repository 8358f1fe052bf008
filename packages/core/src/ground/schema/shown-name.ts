import { z } from "zod"

/**
 * What turns the direction of writing, breaks a line, moves a cursor or is not seen; what joins letters and emoji may
 * stay.
 */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/u
/** A character that is seen: no space, control or format character, variation selector or filler. */
const visible = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A name of at most so many characters that others read in lists, logs and terminals. */
export function shownNameUpTo(most: number) {
  return z
    .string()
    .trim()
    .min(1, { error: "write a name" })
    .max(most, { error: `write a name of at most ${most} characters` })
    .refine((name) => visible.test(name) && !unseen.test(name), {
      error: "write the name on one line, in characters that are seen",
    })
}

/** What people call a person, a workspace, a key or a webhook. */
export const ShownName = shownNameUpTo(80)

/** A name that another service tells, as far as it can be shown; null when nothing of it can. */
export function shownName(given: string): string | null {
  const line = given.replaceAll(new RegExp(unseen, "gu"), " ").replaceAll(/\s+/g, " ").trim()
  // Cutting may leave half of a surrogate pair, which is dropped.
  const parsed = ShownName.safeParse([...line.slice(0, 80)].filter((letter) => !unseen.test(letter)).join(""))
  return parsed.success ? parsed.data : null
}
