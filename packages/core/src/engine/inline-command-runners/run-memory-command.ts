import { isDocketError } from "../../ground/error/docket-error.ts"
import { inlineCommandNumber } from "../../ground/inline-command/inline-command-number.ts"
import { type CommandLine, MemoryType } from "../../ground/schema/index.ts"
import { memoryList, memoryText } from "../../records/memory/memory-text.ts"
import { createSessionMemory, type SessionMemory, type SessionMemoryDeps } from "../../records/memory/session-memory.ts"
import { cutOff, done, failed, type InlineCommandRunner, plain } from "../loop/inline-command-runner.ts"

const usage = failed(
  "usage: /mem add entry <type> <title> … /endmem | /mem search <words> | /mem list | /mem get <id> | /mem invalidate <id>",
)

const actions = new Set(["add", "search", "list", "get", "invalidate"])

/**
 * `/mem` commands: add entry (a block that `/endmem` ends), search, list, get, invalidate. They record in the memory of
 * the conversation. An agent needs the permission of its `memory` tool.
 */
export function createMemoryCommandRunner(deps: SessionMemoryDeps): InlineCommandRunner {
  return async (inlineCommand, { sessionID, by, ask }) => {
    const memory = createSessionMemory(deps, { sessionID, agent: by.actor.name })
    const [verb = "", ...words] = inlineCommand.args.split(/\s+/)
    if (!actions.has(verb)) return [usage]
    await ask?.({ permission: "memory", patterns: [verb], always: [verb], metadata: { kind: "other" } })
    if (verb === "add") {
      const body = inlineCommand.complete ? inlineCommand.body : null
      return [await add(memory, words, body)]
    }
    return [inlineCommand.complete ? await runVerb(memory, verb, words.join(" ")) : cutOff]
  }
}

/** `entry <type> <title>`; `body` is null when `/endmem` is missing. */
async function add(memory: SessionMemory, words: string[], body: string | null): Promise<CommandLine> {
  const [kind, typeName = "", ...rest] = words
  const title = rest.join(" ")
  if (kind !== "entry" || title === "")
    return failed("usage: /mem add entry <type> <title>, then the content and /endmem")
  const type = MemoryType.safeParse(typeName)
  if (!type.success) {
    return failed(`${typeName} is no type of memory; use one of ${MemoryType.options.join(", ")}`)
  }
  if (body === null) return failed("missing /endmem terminator")
  return answered(async () => {
    const entry = await memory.add({ type: type.data, title, content: body.trim(), lasting: false })
    return done(`added #${entry.number} — ${entry.title}`)
  })
}

async function runVerb(memory: SessionMemory, verb: string, argument: string): Promise<CommandLine> {
  if (verb === "list") return plain(memoryList(await memory.list()))
  if (verb === "search") {
    return argument === "" ? failed("usage: /mem search <words>") : plain(memoryList(await memory.search(argument)))
  }
  const number = inlineCommandNumber(argument)
  if (number === null) return failed(`usage: /mem ${verb} <id>`)
  return answered(async () => {
    if (verb === "get") return plain(memoryText(await memory.get(number)))
    const entry = await memory.invalidate(number)
    return done(`invalidated — ${entry.title}`)
  })
}

/** Runs the work; an expected failure becomes a `failed` line. */
async function answered(work: () => Promise<CommandLine>): Promise<CommandLine> {
  try {
    return await work()
  } catch (error) {
    if (!isDocketError(error)) throw error
    return failed(error.code === "memory_not_found" ? "memory not found" : error.message)
  }
}
