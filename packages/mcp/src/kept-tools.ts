import type { ProgramLog } from "@docket/core/program-log"
import { readServerTool, type ServerTool } from "./server-tool.ts"

/** Tools of a server, and characters of them all. */
const most = { tools: 500, characters: 4_000_000 } as const

/** The tools of a list that are kept: of two of one name the first, and the first ones of too many. */
export function keptTools(listed: readonly unknown[], log: Pick<ProgramLog, "add">): ServerTool[] {
  const byName = new Map<string, ServerTool>()
  let characters = 0
  let left = 0
  for (const value of listed) {
    if (byName.size === most.tools || characters > most.characters) {
      left++
      continue
    }
    const tool = readServerTool(value)
    if ("problem" in tool) log.add(`[Docket] ${tool.problem}`)
    else if (byName.has(tool.name)) log.add(`[Docket] It has two tools "${tool.name}"; the first counts.`)
    else {
      characters += JSON.stringify(tool).length
      if (characters > most.characters) left++
      else byName.set(tool.name, tool)
    }
  }
  if (left > 0)
    log.add(
      `[Docket] ${left} of its tools are left out: at most ${most.tools} are kept, with ${most.characters} characters.`,
    )
  return [...byName.values()]
}
