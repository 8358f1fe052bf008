import type { PromptPart } from "../../ground/schema/index.ts"
import type { NewPart } from "./write-user-message.ts"

type CommandPart = Extract<PromptPart, { type: "command" }>

/** A command as a person types it. */
export function typedCommand({ name, arguments: typed }: CommandPart): string {
  return typed === "" ? `/${name}` : `/${name} ${typed}`
}

/** What stands for a command in a transcript: how it was typed, and room for what it comes to. */
export function commandParts(part: CommandPart): NewPart[] {
  const { name, expansion } = part
  const typed: NewPart = { type: "text", text: typedCommand(part) }
  if (expansion === undefined) return [typed]
  const notice = { kind: "command", name, origin: expansion.origin, state: "pending" } as const
  return [typed, { type: "text", text: "", synthetic: true, notice }]
}
