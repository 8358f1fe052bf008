import { z } from "zod"

/**
 * Characters that change the writing direction, break a line, move a cursor or are invisible. Characters that join
 * letters and emoji are not among them.
 */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200C\u200D])\p{Cf}/u
/** A visible character: no space, control or format character, variation selector or filler. */
const visible = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The schema of a name that others read in lists, logs and terminals, with at most `most` characters. */
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

/** The name of a person, a workspace, a key or a webhook. */
export const ShownName = shownNameUpTo(80)

/** A name from another service without the characters that cannot be shown; null when none is left. */
export function shownName(given: string): string | null {
  const line = given.replaceAll(new RegExp(unseen, "gu"), " ").replaceAll(/\s+/g, " ").trim()
  // Cutting may leave half of a surrogate pair, which is dropped.
  const parsed = ShownName.safeParse([...line.slice(0, 80)].filter((letter) => !unseen.test(letter)).join(""))
  return parsed.success ? parsed.data : null
}
