import { posix } from "node:path"
import type { ToolContext } from "../../acts/tool/tool.ts"
import { readToolCall } from "../../ground/schema/read-tool-call.ts"
import { providedInstructions } from "../../setup/instruction/instructions.ts"
import type { NestedInstructions } from "../../setup/instruction/read-instruction.ts"
import type { TurnContext } from "../loop/turn-context.ts"

/** Most characters of instructions added to the read of one file; the model is told where the rest is. */
const mostInstructions = 48_000

/**
 * Instructions of nested directories that the model does not have yet. It has those of an answer that it still reads, as
 * long as their files have not changed. The transcript tells which, so that a restart repeats nothing and a compaction
 * loses nothing.
 */
export function newInstructionsOf(
  turn: Pick<TurnContext, "provided" | "project" | "session" | "transcript">,
): ToolContext["newInstructions"] {
  const { worktree } = turn.project
  const { nested } = providedInstructions(turn.provided.files, { worktree, directory: turn.session.directory })
  if (nested.length === 0) return () => []
  // Most files have no nested instructions; the transcript is searched only for those that have.
  let shown: Set<string> | null = null
  return (file) => {
    const meant = nested.filter((one) => isBelow(one.directory, file) && one.name !== file)
    if (meant.length === 0) return []
    shown ??= shownInstructions(turn)
    const known = shown
    const found = meant.filter((one) => !known.has(keyOf(one))).sort((a, b) => a.directory.length - b.directory.length)
    for (const one of found) known.add(keyOf(one))
    return withinRoom(found)
  }
}

function shownInstructions({ transcript }: Pick<TurnContext, "transcript">): Set<string> {
  const shown = new Set<string>()
  for (const { parts } of transcript.all()) {
    for (const part of parts) {
      if (part.type !== "tool" || part.state.status !== "completed" || part.state.time.compacted !== undefined) continue
      const call = readToolCall(part)
      if (call.tool !== "read") continue
      for (const one of call.metadata?.instructions ?? []) shown.add(keyOf(one))
    }
  }
  return shown
}

function keyOf({ name, version }: { name: string; version: string }): string {
  return `${version} ${name}`
}

function isBelow(directory: string, file: string): boolean {
  return !posix.isAbsolute(file) && file.startsWith(`${directory}/`)
}

/** Instructions of the nearest directory get space first, because they are the most specific. */
function withinRoom(found: readonly NestedInstructions[]): NestedInstructions[] {
  let room = mostInstructions
  const fitting = found.toReversed().map((one) => {
    const content = one.content.slice(0, room)
    room -= content.length
    if (content.length === one.content.length) return one
    return { ...one, content: `${content}\n\n[Cut here. Read ${one.name} for the rest.]` }
  })
  return fitting.reverse()
}
