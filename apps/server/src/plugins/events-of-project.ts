import type { Runtime } from "@docket/core"
import type { Caller, DocketEvent } from "@docket/core/schema"

/** Trees whose project is remembered. */
const mostKnown = 1_000

/** What happens in the trees of a project from now on: everything that the caller may read. */
export async function* eventsOfProject(
  runtime: Pick<Runtime, "as">,
  { caller, projectID }: { caller: Caller; projectID: string },
  signal: AbortSignal,
): AsyncIterable<DocketEvent> {
  const { feed, session } = runtime.as(caller)
  const known = new Map<string, string | null>()
  const projectOf = async (rootID: string) => {
    const found = known.get(rootID)
    if (found !== undefined) return found
    const root = await session.get({ sessionID: rootID }).catch(() => null)
    if (known.size >= mostKnown) known.clear()
    if (root !== null) known.set(rootID, root.projectID)
    return root?.projectID ?? null
  }
  for await (const item of feed({ others: true, whole: true }, signal)) {
    if (item.type === "resync" || item.rootID === null) continue
    if ((await projectOf(item.rootID)) === projectID) yield item
  }
}
