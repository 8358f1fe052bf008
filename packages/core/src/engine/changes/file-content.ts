import type { Store } from "../../ground/store/index.ts"
import { SnapshotError } from "../snapshot/snapshot-repository.ts"
import type { ContentPiece } from "./change-service.ts"
import { type ChangeRun, readRuns, type WantedFile } from "./file-diff.ts"
import type { ReadStepsDeps } from "./step-changes.ts"

/** Longer files are not shown (bytes): they would freeze the browser. */
const maxBytes = 1_000_000

/** One file before and after consecutive changes by these steps. @throws message_not_found */
export async function fileContent(deps: ReadStepsDeps & { store: Store }, wanted: WantedFile): Promise<ContentPiece[]> {
  return Promise.all((await readRuns(deps, wanted)).map((run) => contentOf(deps, run)))
}

async function contentOf({ snapshots, onError }: ReadStepsDeps, run: ChangeRun): Promise<ContentPiece> {
  const { messageIDs, place, states, last } = run
  const without = (lack: ContentPiece["lack"]) => ({ messageIDs, before: null, after: null, lack })
  if (last.change.lack !== null) return without(last.change.lack)
  if (states === null) return without("no_snapshot")
  const { from, to } = states
  try {
    const read = await snapshots.contents(place, [...new Set([from, to].flatMap((state) => state?.hash ?? []))])
    const [before, after] = [from, to].map((state) => (state === null ? null : read.get(state.hash)))
    if (before === undefined || after === undefined) return without("expired")
    if ([before, after].some((bytes) => bytes !== null && bytes.length > maxBytes)) return without("too_large")
    return { messageIDs, before: before?.toString() ?? null, after: after?.toString() ?? null, lack: null }
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error
    onError(error)
    return without("expired")
  }
}
