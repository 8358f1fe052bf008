import { posix } from "node:path"
import type { ToolContext } from "../../acts/tool/tool.ts"
import { readToolCall } from "../../ground/schema/read-tool-call.ts"
import type { NestedInstructions } from "../../setup/instruction/instruction-file.ts"
import { broughtInstructions } from "../../setup/instruction/instructions.ts"
import type { TurnContext } from "../loop/turn-context.ts"

/** Characters of instructions that come with one file; whoever gets less is told where the rest is. */
const mostTold = 48_000

/**
 * Tells instructions of nested directories once: as long as the model reads the answer that they came with, and they are
 * as they were then. What was told is read from the transcript, so that a restart repeats nothing and a compaction, which
 * takes it away, loses nothing.
 */
export function untoldInstructions(
  turn: Pick<TurnContext, "brought" | "project" | "session" | "transcript">,
): ToolContext["untold"] {
  const { worktree } = turn.project
  const { nested } = broughtInstructions(turn.brought.files, { worktree, directory: turn.session.directory })
  if (nested.length === 0) return () => []
  // Most calls are about files without any: only others look through the transcript.
  let told: Set<string> | null = null
  return (file) => {
    const meant = nested.filter((one) => isBelow(one.directory, file) && one.name !== file)
    if (meant.length === 0) return []
    told ??= toldInstructions(turn)
    const known = told
    const found = meant.filter((one) => !known.has(keyOf(one))).sort((a, b) => a.directory.length - b.directory.length)
    for (const one of found) known.add(keyOf(one))
    return withinRoom(found)
  }
}

function toldInstructions({ transcript }: Pick<TurnContext, "transcript">): Set<string> {
  const told = new Set<string>()
  for (const { parts } of transcript.all()) {
    for (const part of parts) {
      if (part.type !== "tool" || part.state.status !== "completed" || part.state.time.compacted !== undefined) continue
      const call = readToolCall(part)
      if (call.tool !== "read") continue
      for (const one of call.metadata?.instructions ?? []) told.add(keyOf(one))
    }
  }
  return told
}

function keyOf({ name, version }: { name: string; version: string }): string {
  return `${version} ${name}`
}

function isBelow(directory: string, file: string): boolean {
  return !posix.isAbsolute(file) && file.startsWith(`${directory}/`)
}

/** The nearest directory's come first into the room: they are the most specific. */
function withinRoom(found: readonly NestedInstructions[]): NestedInstructions[] {
  let room = mostTold
  const fitting = found.toReversed().map((one) => {
    const content = one.content.slice(0, room)
    room -= content.length
    if (content.length === one.content.length) return one
    return { ...one, content: `${content}\n\n[Cut here. Read ${one.name} for the rest.]` }
  })
  return fitting.reverse()
}
