import type { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { typedTitle } from "../session/title-from.ts"

/** Why a file is not taken, for the person who brought it. */
export function badFile(reason: string): DocketError {
  // Words of the file may be in it.
  return new DocketError("invalid_input", `The file cannot be imported: ${typedTitle(reason)}`)
}

/** The first thing that is wrong with a value, and where. */
export function problemAt(place: string, { issues: [issue] }: z.core.$ZodError): DocketError {
  const { path = [], message = "it is not of the expected form" } = issue ?? {}
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("")
  return badFile(`${`${place}${steps}`.replace(/^\./, "") || "the whole"}: ${message.slice(0, 300)}`)
}
