import { visibleText } from "@docket/core/rule"
import type { ListedExtension } from "@docket/core/schema"
import { tableLines } from "../table.ts"

type Server = Pick<ListedExtension, "title" | "state" | "tools" | "error" | "log" | "origin" | "use">

const order = ["ready", "starting", "idle", "needs-login", "failed", "waits", "off"]
/** Lines of a log that say why something failed. */
const shownLog = 10

/** The MCP servers of a project as lines under a heading: those that run first. */
export function mcpLines(servers: readonly Server[]): string[] {
  if (servers.length === 0)
    return ["no MCP servers are configured: docket mcp add adds one, docket mcp import those of other programs"]
  const sorted = servers.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  const rows = sorted.map(({ title, state, tools, error, origin, use }) => [
    visibleText(title),
    state,
    String(tools.length),
    String(use.calls),
    visibleText(
      [firstLine(error ?? ""), origin === null ? "" : placeOf(origin)].filter((text) => text !== "").join("; "),
    ),
  ])
  return tableLines([["server", "state", "tools", "calls", "about"], ...rows])
}

/** What a server that was just started is like: its tools, or why it failed with the end of its log. */
export function mcpTestLines({ title, state, tools, error, log }: Server): string[] {
  if (state === "ready")
    return [
      `${visibleText(title)} runs and has ${tools.length} ${tools.length === 1 ? "tool" : "tools"}`,
      ...tools.map(({ id, description }) => visibleText(`  ${id}  ${firstLine(description)}`)),
    ]
  const why = error ?? `it is ${state}`
  return [
    `${visibleText(title)} does not run: ${visibleText(firstLine(why))}`,
    ...log.slice(-shownLog).map((line) => visibleText(`  ${line}`)),
  ]
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? ""
}

function placeOf({ file, line }: NonNullable<Server["origin"]>): string {
  return line === null ? file : `${file}:${line}`
}
