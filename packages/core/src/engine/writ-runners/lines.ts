import type { CommandLine } from "../../ground/schema/index.ts"

/** Something was done, e.g. `added #1 — milk`. */
export const done = (text: string): CommandLine => ({ kind: "done", text })

/** The command failed: why, or what to write instead. */
export const failed = (text: string): CommandLine => ({ kind: "failed", text })

export const plain = (text: string): CommandLine => ({ kind: "text", text })

/** An inline command that the end of the answer cut off is not run. */
export const cutOff = failed("the answer was cut off inside this command; nothing was changed")
