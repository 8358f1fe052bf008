import { orAborted } from "@docket/core/or-aborted"
import type { ListedResources } from "./resource-tool.ts"

/** ms for which a list counts, unless the server says that it has changed. */
const keptMs = 30_000

/** The resources of a connection, read once for the many letters of an address. */
export interface ResourceList {
  get(signal: AbortSignal): Promise<ListedResources>
  /** The server says that it has others now. */
  changed(): void
}

export function createResourceList({ now }: { now(): number }, read: () => Promise<ListedResources>): ResourceList {
  let kept: { list: Promise<ListedResources>; at: number } | null = null
  return {
    get(signal) {
      if (kept === null || now() - kept.at > keptMs) {
        const reading = { list: read(), at: now() }
        kept = reading
        reading.list.catch(() => {
          if (kept === reading) kept = null
        })
      }
      return orAborted(kept.list, signal)
    },
    changed() {
      kept = null
    },
  }
}
