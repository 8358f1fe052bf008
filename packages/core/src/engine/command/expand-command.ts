import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { DocketError } from "../../ground/error/docket-error.ts"
import { errorText } from "../../ground/error/error-text.ts"
import { didYouMean } from "../../ground/error/nearest-name.ts"
import { subagents } from "../../ground/rule/index.ts"
import type { Agent, CommandExpansion, ModelRef, PromptPart } from "../../ground/schema/index.ts"
import { findAgent } from "../../setup/agent/resolve-agents.ts"
import type { Command, ExpandedPart } from "./find-commands.ts"
import { fillInTemplate, missingArguments, parseTemplate, type Template } from "./template.ts"

type CommandPart = Extract<PromptPart, { type: "command" }>

/** Most files and agents that one template may name. */
const maxMentions = 50

/** The context in which a command is expanded: the project's commands and agents, and the session's directory. */
export interface CommandPlace {
  commands: readonly Command[]
  agents: Agent[]
  /** Absolute path; file names are relative to it. */
  directory: string
}

/** A prompt made by a command, as it is queued. */
export interface ExpandedCommand {
  /** The expanded command, then the files and agents that it names. */
  parts: PromptPart[]
  /** The agent and the model for the prompt; null where the command names none. */
  agent: string | null
  model: ModelRef | null
}

/**
 * Puts arguments into a command, using the present text of its file. Scripts in the template are only listed, not run.
 * @throws DocketError command_not_found, config_invalid, agent_not_found, invalid_input; no prompt is sent then
 */
export async function expandCommand(part: CommandPart, place: CommandPlace): Promise<ExpandedCommand> {
  const command = findCommand(place.commands, part.name)
  if (command.expand !== undefined) return madeByExtension(command, part, await command.expand(part.arguments))
  const template = readTemplate(command)
  const missing = missingArguments(template, command.hint, part.arguments)
  if (missing.length > 0) throw new DocketError("invalid_input", missingWords(command, missing))
  const { pieces, mentions } = fillIn(command, template, part.arguments)
  if (pieces.length === 0)
    throw new DocketError("invalid_input", `/${command.name} makes an empty prompt. ${usage(command)}`)
  const { agent, subtask } = whoWorks(command, place.agents)
  const expansion: CommandExpansion = { origin: command.origin, pieces, subtask }
  const made = { type: "command", name: command.name, arguments: part.arguments.trim(), expansion } as const
  // A subagent reads the named files itself, under its own rules.
  const named = subtask === null ? await resolveMentions(mentions, place) : []
  return { parts: [made, ...named], agent, model: subtask === null ? command.model : null }
}

function madeByExtension({ name, origin }: Command, part: CommandPart, made: readonly ExpandedPart[]): ExpandedCommand {
  const pieces = made.flatMap((one) => (one.type === "text" ? [{ type: "text" as const, text: one.text }] : []))
  const files = made.filter((one) => one.type === "file")
  if (pieces.length + files.length === 0)
    throw new DocketError("invalid_input", `/${name} makes an empty prompt. Nothing was sent.`)
  const expansion: CommandExpansion = { origin, pieces, subtask: null }
  const command = { type: "command", name, arguments: part.arguments.trim(), expansion } as const
  return { parts: [command, ...files], agent: null, model: null }
}

function findCommand(commands: readonly Command[], name: string): Command {
  const normalized = name.normalize("NFC")
  const found = commands.find((command) => command.name === normalized)
  if (found) return found
  const near = didYouMean(
    normalized,
    commands.map((command) => command.name),
  )
  const message = `There is no command "/${name}".${near} Commands of a project count once you trust it. Begin with a space to send it as text.`
  throw new DocketError("command_not_found", message)
}

function readTemplate(command: Command): Template {
  try {
    return parseTemplate(command.template)
  } catch (cause) {
    const where = command.file === null ? "" : ` Mend ${command.file}.`
    throw new DocketError("config_invalid", `/${command.name} cannot be used: ${errorText(cause)}.${where}`, { cause })
  }
}

function fillIn(command: Command, template: Template, typed: string) {
  try {
    return fillInTemplate(template, typed)
  } catch (cause) {
    throw new DocketError("invalid_input", `/${command.name} was not sent: ${errorText(cause)}.`, { cause })
  }
}

function missingWords(command: Command, missing: readonly number[]): string {
  const which = command.hint === null ? missing.map((position) => `$${position}`).join(", ") : command.hint
  return `/${command.name} needs more than that: ${which}. ${usage(command)}`
}

function usage({ name, hint }: Command): string {
  return `Write it as /${name} ${hint ?? "…"}`
}

/** Decides which agent works. A subagent works in its own session, and so does a command with `subtask`. */
function whoWorks(command: Command, agents: Agent[]): { agent: string | null; subtask: CommandExpansion["subtask"] } {
  const { name, agent: agentName, model } = command
  const agent = agentName === null ? null : namedAgent(command, agentName, agents)
  if (!command.subtask && agent?.mode !== "subagent") return { agent: agentName, subtask: null }
  const worker = agent ?? findAgent(agents, "general")
  if (!subagents(agents).some((candidate) => candidate.name === worker.name)) {
    const others = subagents(agents).map((candidate) => candidate.name)
    const message = `/${name} wants a subagent to do the work, and ${worker.name} only leads sessions. Name one of these in it: ${others.join(", ")}.`
    throw new DocketError("config_invalid", message)
  }
  return { agent: null, subtask: { agent: worker.name, description: command.description || `/${name}`, model } }
}

function namedAgent({ name, file }: Command, agentName: string, agents: Agent[]): Agent {
  try {
    return findAgent(agents, agentName)
  } catch (cause) {
    const where = file === null ? "" : ` (${file})`
    throw new DocketError("agent_not_found", `/${name}${where} cannot be used: ${errorText(cause)}`, { cause })
  }
}

/** An existing file becomes a file of the prompt, under the usual rules; other names are agents or plain text. */
async function resolveMentions(
  mentions: readonly string[],
  { agents, directory }: CommandPlace,
): Promise<PromptPart[]> {
  const names = new Set(subagents(agents).map(({ name }) => name))
  const parts = await Promise.all(
    mentions.slice(0, maxMentions).map(async (name): Promise<PromptPart[]> => {
      const path = resolve(directory, name)
      const isThere = await stat(path).then(
        () => true,
        () => false,
      )
      if (isThere) return [{ type: "file", mime: "text/plain", url: pathToFileURL(path).href, filename: name }]
      return names.has(name) ? [{ type: "agent", name }] : []
    }),
  )
  return parts.flat()
}
