import { isDocketError } from "../error/docket-error.ts"
import type { WritRunner } from "../loop/writ-runner.ts"
import { memoryList, memoryText } from "../memory/memory-text.ts"
import { createSessionMemory, type SessionMemory, type SessionMemoryDeps } from "../memory/session-memory.ts"
import { MemoryType } from "../schema/index.ts"
import { framedResult } from "../writ/framed-result.ts"
import { writNumber } from "../writ/writ-number.ts"

const usage =
  "ERR: usage: /mem add entry <type> <title> … /endmem | /mem search <words> | /mem list | /mem get <id> | /mem invalidate <id>"

const actions = new Set(["add", "search", "list", "get", "invalidate"])

/**
 * `/mem` writs: add entry (a block that `/endmem` ends), search, list, get, invalidate. What they record belongs
 * to the conversation. An agent needs the leave that its `memory` tool needs.
 */
export function createMemoryWritRunner(deps: SessionMemoryDeps): WritRunner {
  return async (writ, { sessionID, by, ask }) => {
    const memory = createSessionMemory(deps, { sessionID, agent: by.actor.name })
    const [verb = "", ...words] = writ.args.split(/\s+/)
    if (!actions.has(verb)) return framedResult(writ, usage)
    await ask?.({ permission: "memory", patterns: [verb], always: [verb], metadata: {} })
    if (verb === "add") {
      const body = writ.complete ? writ.body : null
      return framedResult(writ, await add(memory, words, body))
    }
    if (!writ.complete)
      return framedResult(writ, "ERR: the answer was cut off inside this command; nothing was changed")
    return framedResult(writ, await runVerb(memory, verb, words.join(" ")))
  }
}

/** `entry <type> <title>`; `body` is null when `/endmem` is missing. */
async function add(memory: SessionMemory, words: string[], body: string | null): Promise<string> {
  const [kind, typeName = "", ...rest] = words
  const title = rest.join(" ")
  if (kind !== "entry" || title === "") return "ERR: usage: /mem add entry <type> <title>, then the content and /endmem"
  const type = MemoryType.safeParse(typeName)
  if (!type.success) return `ERR: ${typeName} is no type of memory; use one of ${MemoryType.options.join(", ")}`
  if (body === null) return "ERR: missing /endmem terminator"
  return answered(async () => {
    const entry = await memory.add({ type: type.data, title, content: body.trim(), lasting: false })
    return `OK: added #${entry.number} — ${entry.title}`
  })
}

async function runVerb(memory: SessionMemory, verb: string, argument: string): Promise<string> {
  if (verb === "list") return memoryList(await memory.list())
  if (verb === "search") {
    return argument === "" ? "ERR: usage: /mem search <words>" : memoryList(await memory.search(argument))
  }
  const number = writNumber(argument)
  if (number === null) return `ERR: usage: /mem ${verb} <id>`
  return answered(async () => {
    if (verb === "get") return memoryText(await memory.get(number))
    const entry = await memory.invalidate(number)
    return `OK: invalidated — ${entry.title}`
  })
}

async function answered(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (!isDocketError(error)) throw error
    return error.code === "memory_not_found" ? "ERR: memory not found" : `ERR: ${error.message}`
  }
}
