import type { CommandLine } from "../schema/index.ts"
import type { InlineCommand } from "./parse-inline-commands.ts"

const prefixes = { done: "OK: ", failed: "ERR: ", skipped: "SKIPPED: ", text: "" } as const

/** The result of a command, as models and terminals read it. */
export function renderLines(lines: readonly CommandLine[]): string {
  return lines.map(renderLine).join("\n")
}

function renderLine(line: CommandLine): string {
  switch (line.kind) {
    case "todo": {
      const marker = line.status === "in_progress" ? "▶ " : ""
      const reach = line.everyone ? " (tenant-wide)" : ""
      return `${marker}#${line.number} [${line.status}] ${line.content}${reach}`
    }
    case "status":
      // Outside of Docket the status has one l.
      return `${prefixes.done}${line.status === "cancelled" ? "canceled" : line.status} — ${line.content}`
    case "answer":
      return line.failed ? `${prefixes.failed}${line.text}` : line.text
    default:
      return `${prefixes[line.kind]}${line.text}`
  }
}

/** A result as models read it: `[/todo list]`, body, `[END TODO]`. That of `/parallel` frames each child. */
export function renderResult(inlineCommand: InlineCommand, lines: readonly CommandLine[]): string {
  const end = `[END ${inlineCommand.verb.toUpperCase()}]`
  const children = inlineCommand.verb === "parallel" ? lines.filter((line) => line.kind === "answer") : []
  if (children.length === 0) return `[${commandOf(inlineCommand)}]\n${renderLines(lines)}\n${end}`
  const bodies = children.map(
    (child, index) =>
      `[child ${index + 1}/${children.length} — /agent ${child.agent}]\n${renderLine(child)}\n[END CHILD ${index + 1}]`,
  )
  return `[/parallel ${children.length} children]\n${bodies.join("\n")}\n${end}`
}

/** The command in one line, e.g. `/todo list`. */
export function commandOf({ verb, args }: InlineCommand): string {
  return args === "" ? `/${verb}` : `/${verb} ${args.replace(/\s+/g, " ")}`
}
