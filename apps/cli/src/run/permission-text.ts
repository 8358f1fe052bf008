import { styleText } from "node:util"
import { type AskDescription, actText, describeAsk, factsOf, visibleText } from "@docket/core/rule"
import type { PermissionRequest } from "@docket/core/schema"

/** Who asks: an agent, and the titles of the tasks it works for, the outermost first; none for the session itself. */
export interface Asker {
  agent: string
  path: string[]
}

/** The request in one sentence, such as `build wants to run a command: rm -r build`. */
export function permissionLine(request: PermissionRequest, { agent }: Pick<Asker, "agent">): string {
  const shown = describeAsk(request)
  const detail = shown.command ?? shown.title
  return `${sentence(shown, agent)}${detail && `: ${detail}`}`
}

/**
 * The same facts as the permission card of the web app: the action, with the command and its effects or the diff; the
 * task; the reasons. No text can move the cursor, and text from the agent is indented.
 */
export function permissionText(request: PermissionRequest, { agent, path }: Asker): string {
  const shown = describeAsk(request)
  const { alsoNamed, title, command, input, diff, reasons } = shown
  const task = path.length > 0 ? [inLine(`for the task ${path.map(visibleText).join(" › ")}`)] : []
  const body = [
    ...task,
    ...(title ? [inLine(title)] : []),
    ...(alsoNamed.length > 0 ? [inLine(`also ${alsoNamed.join(", ")}`)] : []),
    ...(command === null ? [] : [`$ ${command.replaceAll("\n", "\n> ")}`, ...factLines(shown, command).map(inLine)]),
    ...(input === null ? [] : input.split("\n")),
    ...(diff === null ? [] : diffLines(diff)),
    ...reasons.map(inLine),
  ]
  return [paint("bold", inLine(sentence(shown, agent))), ...body.map(indented)].join("\n")
}

function sentence(shown: AskDescription, agent: string): string {
  return `${visibleText(agent)} wants to ${actText(shown)}`
}

function factLines({ effects }: AskDescription, command: string): string[] {
  if (effects === null) return []
  const facts = factsOf(effects, command).map(({ label, items, rest }) => {
    return `${label.toLowerCase()} ${items.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`
  })
  return effects.more ? [...facts, "and more that is computed only when it runs, or too many to list"] : facts
}

/** Leaves out the head of the diff: the file is named above. */
function diffLines(diff: string): string[] {
  const lines = diff.trimEnd().split("\n")
  return lines
    .slice(
      Math.max(
        0,
        lines.findIndex((line) => line.startsWith("@@")),
      ),
    )
    .map((line) => {
      if (line.startsWith("+")) return paint("green", line)
      if (line.startsWith("-")) return paint("red", line)
      return line.startsWith("@@") ? paint("cyan", line) : line
    })
}

/** Puts a text from outside on one line, so that it cannot look like another fact. */
function inLine(text: string): string {
  return text.replace(/\s+/g, " ")
}

function indented(text: string): string {
  return text.replace(/^/gm, "  ")
}

/** Colours for stderr, where the questions are shown. */
function paint(format: "bold" | "green" | "red" | "cyan", text: string): string {
  return styleText(format, text, { stream: process.stderr })
}
