import { SessionID } from "@docket/core/schema"
import { InvalidArgumentError } from "commander"

/** Reads a session's id from the command line. @throws InvalidArgumentError */
export function readSessionID(given: string): string {
  if (SessionID.safeParse(given).success) return given
  throw new InvalidArgumentError("Ids of sessions begin with ses_; docket sessions lists them.")
}

/** Reads another one of several ids. @throws InvalidArgumentError */
export function readSessionIDs(given: string, before: readonly string[] = []): string[] {
  return [...before, readSessionID(given)]
}
