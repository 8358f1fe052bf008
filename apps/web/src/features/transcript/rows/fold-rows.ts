import type { ToolPart } from "@docket/core/schema"
import { isTask, type Row } from "./row.ts"

/** Tools that only read: their calls are folded. */
const lookups = new Set(["read", "glob", "grep", "list"])

interface FoldContext {
  /** Folds that the reader opened or closed, by key. */
  open: ReadonlyMap<string, boolean>
  /** The part named in the address: the fold that contains it is open. */
  part: string | null
  /** Whether the row waits for a user, and so must stay visible. */
  waits(row: Row): boolean
}

/** Folds two or more consecutive lookup calls into one line. Calls that failed or wait for a user stay visible. */
export function foldRows(rows: readonly Row[], context: FoldContext): Row[] {
  const folded: Row[] = []
  let run: Row[] = []
  const end = () => {
    folded.push(...(run.length < 2 ? run : foldOf(run, context)))
    run = []
  }
  for (const row of rows) {
    if (isLookup(row) && !context.waits(row)) {
      run.push(row)
      continue
    }
    end()
    folded.push(row)
  }
  end()
  return folded
}

function isLookup(row: Row): row is Extract<Row, { kind: "part" }> & { part: ToolPart } {
  if (row.kind !== "part" || row.part.type !== "tool" || isTask(row.part)) return false
  const { state } = row.part
  // What was seen stays visible.
  if (state.status === "completed" && (state.attachments?.length ?? 0) > 0) return false
  return lookups.has(row.part.tool) && state.status !== "error"
}

function foldOf(run: readonly Row[], { open, part }: FoldContext): Row[] {
  const parts = run.filter(isLookup).map((row) => row.part)
  const key = `${parts[0]?.id ?? ""}:fold`
  const isOpen = open.get(key) ?? parts.some(({ id }) => id === part)
  const beginsStep = run[0] !== undefined && isLookup(run[0]) && run[0].beginsStep
  return [{ kind: "fold", key, parts, open: isOpen, beginsStep }, ...(isOpen ? run : [])]
}
