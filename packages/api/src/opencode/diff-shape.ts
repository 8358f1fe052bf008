import type { ChangeSummary, DiffPiece, StepChange } from "@docket/core"
import type * as Sdk from "@opencode-ai/sdk/v2/types"

const status = { added: "added", changed: "modified", deleted: "deleted" } as const satisfies Record<
  StepChange["kind"],
  Sdk.SnapshotFileDiff["status"]
>

/** What became of a file, as OpenCode's clients read it. A file without a diff has its figures alone. */
export function diffShape(
  { path, kind, additions, deletions }: ChangeSummary["diffs"][number],
  pieces: readonly DiffPiece[],
) {
  const patches = pieces.flatMap(({ patch }) => patch ?? [])
  return {
    ...{ file: path, additions, deletions, status: status[kind] },
    ...(patches.length > 0 && { patch: patches.join("\n") }),
  } satisfies Sdk.SnapshotFileDiff
}
