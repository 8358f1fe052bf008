import type { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { typedTitle } from "../session/title-from.ts"

/** The error for a file that is refused, for the user who imports it. */
export function badFile(reason: string): DocketError {
  // The reason may contain text from the file.
  return new DocketError("invalid_input", `The file cannot be imported: ${typedTitle(reason)}`)
}

/** The first problem of a value, and where it is. */
export function problemAt(place: string, { issues: [issue] }: z.core.$ZodError): DocketError {
  const { path = [], message = "it is not of the expected form" } = issue ?? {}
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("")
  return badFile(`${`${place}${steps}`.replace(/^\./, "") || "the whole"}: ${message.slice(0, 300)}`)
}
