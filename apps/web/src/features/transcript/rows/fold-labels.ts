import type { ToolPart } from "@docket/core/schema"
import { readToolCall } from "@docket/core/tool-metadata"
import { formatCount } from "../../../ui/format-count.ts"
import { textArgument } from "../../tools/arguments.ts"

export interface FoldLabels {
  /** "Read 6 files, searched 3 times" */
  what: string
  /** The files, search patterns and directories, without duplicates. */
  names: string[]
  running: boolean
}

/** Describes in words what the lookup calls did. */
export function foldLabels(parts: readonly ToolPart[]): FoldLabels {
  const files = new Set<string>()
  const directories = new Set<string>()
  const patterns: string[] = []
  let reads = 0
  /** Reads whose file name is not known yet. Each counts as a separate file. */
  let unnamed = 0
  for (const part of parts) {
    const call = readToolCall(part)
    if (part.tool === "glob" || part.tool === "grep") patterns.push(textArgument(part, "pattern") ?? "")
    else if (part.tool === "list" || (call.tool === "read" && call.metadata?.kind === "directory"))
      directories.add(call.tool === "read" ? (call.metadata?.file ?? "") : (textArgument(part, "path") ?? "."))
    else {
      reads += 1
      const file = (call.tool === "read" ? call.metadata?.file : null) ?? textArgument(part, "filePath")
      if (file === null) unnamed += 1
      else files.add(file)
    }
  }
  const count = files.size + unnamed
  const words = [
    count === 1 && reads > 1 ? `read a file ${reads} times` : count > 0 && `read ${formatCount(count, "file")}`,
    patterns.length > 0 && `searched ${patterns.length === 1 ? "once" : `${patterns.length} times`}`,
    directories.size > 0 && `listed ${formatCount(directories.size, "directory", "directories")}`,
  ].filter((it) => it !== false)
  const what = words.join(", ")
  return {
    what: what.charAt(0).toUpperCase() + what.slice(1),
    names: [...new Set([...files, ...patterns, ...directories])].filter((name) => name !== ""),
    running: parts.some(({ state }) => state.status === "pending" || state.status === "running"),
  }
}
