import type { NewPart } from "./write-message.ts"

const text =
  "<system-reminder>The Docket process was restarted while you worked. Tool calls without a result may or may not have taken effect: check before you repeat them, then go on.</system-reminder>"

/** Added at the end of the transcript when a turn continues after a crash. */
export const restartedPart: NewPart = { type: "text", text, synthetic: true, notice: { kind: "restarted" } }
