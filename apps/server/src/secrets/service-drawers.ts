import { type Drawers, memoryDrawer } from "@docket/core/vault"
import { lineFile } from "./line-file.ts"
import { loginsFile } from "./logins-file.ts"
import { teamFile } from "./team-file.ts"

/** The files that hold the secrets of a service that has its data directory alone. */
export function serviceDrawers(dataDirectory: string): Drawers {
  return {
    token: lineFile(dataDirectory, "token"),
    login: loginsFile(dataDirectory),
    // A link works for 15 minutes: one that a restart ends is asked for again.
    "login-code": memoryDrawer(),
    "team-secret": lineFile(dataDirectory, "team-secret"),
    "team-settings": teamFile(dataDirectory),
  }
}
