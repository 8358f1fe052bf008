import type { OtherServices } from "./runtime.ts"
import { seenEntries } from "./seen-entries.ts"
import type { Sight } from "./sight.ts"
import { visibleRecords } from "./visible-records.ts"
import { visibleSessions } from "./visible-sessions.ts"
import { visibleShares } from "./visible-shares.ts"

/**
 * The use cases of a caller among several people: what somebody else keeps to themselves is not there for them. Every area
 * is named, so that a new one has to say what it shows.
 */
export function visibleUseCases(of: OtherServices, sight: Sight): OtherServices {
  const { project, command, provider, config, sandbox, workspace } = of
  return {
    // Of projects and of the workspace: none of it is of a tree.
    ...{ project, command, provider, config, sandbox, workspace },
    ...visibleSessions(of, sight),
    ...visibleRecords(of, sight),
    ...visibleShares(of, sight),
    audit: { seen: (entries, text) => seenEntries(sight, entries, text) },
  }
}
