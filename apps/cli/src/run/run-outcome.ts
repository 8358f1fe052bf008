import type { Turn } from "@docket/core/schema"
import { z } from "zod"

/** What came of a run: see the exit codes of the same names. */
export const RunOutcome = z.enum(["done", "failed", "refused", "limit", "stopped"])
export type RunOutcome = z.infer<typeof RunOutcome>

/** @param refused how many requests of the run nobody could answer */
export function runOutcome({ status, error }: Pick<Turn, "status" | "error">, refused: number): RunOutcome {
  // A service that ends stops its turns too, but nobody wanted that.
  if (status === "aborted" && error?.name !== "InterruptedError") return "stopped"
  // A turn that had to do without something has not done all that it wanted: a script must not treat it as done.
  if (error?.name === "RejectedError" || (status === "completed" && refused > 0)) return "refused"
  if (error?.name === "LimitReachedError") return "limit"
  return status === "completed" ? "done" : "failed"
}
