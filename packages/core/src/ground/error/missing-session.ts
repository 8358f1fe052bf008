import { DocketError } from "./docket-error.ts"
import { missingSessionText } from "./missing-session-text.ts"

export function missingSession(id: string): DocketError {
  return new DocketError("session_not_found", missingSessionText(id))
}
