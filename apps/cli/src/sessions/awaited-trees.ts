import type { DocketClient } from "@docket/client"
import type { AwaitedHost } from "@docket/core/schema"

/** The root sessions whose work waits for a host, by id, and which host. */
export async function awaitedTrees({ project, session }: DocketClient): Promise<ReadonlyMap<string, AwaitedHost>> {
  // Asked only while a host is away: otherwise nothing waits for one.
  if ((await project.awaited.query()).length === 0) return new Map()
  const working = await session.working.query({})
  return new Map(working.flatMap(({ rootID, waitsFor }) => (waitsFor === undefined ? [] : [[rootID, waitsFor]])))
}
