import type { CommandLine } from "../../ground/schema/index.ts"

/** Something was done, e.g. `added #1 — milk`. */
export const done = (text: string): CommandLine => ({ kind: "done", text })

/** It could not be done, and why or what to write instead. */
export const failed = (text: string): CommandLine => ({ kind: "failed", text })

export const plain = (text: string): CommandLine => ({ kind: "text", text })

/** A command that the end of the answer cut off is not carried out. */
export const cutOff = failed("the answer was cut off inside this command; nothing was changed")
