import { visibleText } from "@docket/core/rule"
import type { ListedExtension } from "@docket/core/schema"
import { shellWord } from "../shell-word.ts"
import { tableLines } from "../table.ts"

type Server = Pick<
  ListedExtension,
  "ref" | "title" | "state" | "tools" | "error" | "log" | "origin" | "use" | "installs" | "switched"
>

const order = ["ready", "starting", "idle", "needs-login", "failed", "waits", "off"]
/** Lines of a log that say why something failed. */
const shownLog = 10

/**
 * The MCP servers of a project as lines under a heading, those that run first, and why the others do not, with what goes on.
 * @param project the directory of the project; null outside of all projects
 */
export function mcpLines(servers: readonly Server[], project: string | null): string[] {
  if (servers.length === 0)
    return ["no MCP servers are configured: docket mcp add adds one, docket mcp import those of other programs"]
  const sorted = servers.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  const rows = sorted.map(({ title, state, tools, origin, use }) => [
    visibleText(title),
    state,
    String(tools.length),
    String(use.calls),
    origin === null ? "" : visibleText(placeOf(origin)),
  ])
  const reasons = sorted.flatMap((server) => {
    const reason = reasonOf(server, project)
    return reason === null ? [] : [visibleText(`${server.title}: ${reason}`)]
  })
  return [...tableLines([["server", "state", "tools", "calls", "from"], ...rows]), ...gap(reasons), ...reasons]
}

function gap(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [""]
}

/** Why a server does not run, and what to do; null for one that runs or can. */
function reasonOf({ ref, title, state, error, installs, switched }: Server, project: string | null): string | null {
  const name = shellWord(title)
  switch (state) {
    case "needs-login":
      return `needs a sign-in: docket mcp login ${name}`
    case "failed":
      return `${firstLine(error ?? "it failed.")} To try again: docket mcp test ${name}`
    case "off":
      return switched?.state === "off"
        ? "is off: Settings → Extensions switches it on"
        : 'is off, as its entry says: take "enabled" out of it'
    case "waits":
      if (installs !== undefined)
        return `waits until somebody agrees to its package: docket package install ${shellWord(installs)}`
      if (error !== null) return `waits. ${firstLine(error)}`
      if (ref.projectID === null) return "is of another program: Settings → Extensions switches it on here"
      return `waits for your trust in the project: docket trust ${shellWord(project ?? ".")}`
    default:
      return error === null ? null : firstLine(error)
  }
}

/** What a server that was just started is like: its tools, or why it failed with the end of its log. */
export function mcpTestLines(server: Server, project: string | null): string[] {
  const { title, state, tools, log } = server
  if (state === "ready")
    return [
      `${visibleText(title)} runs and has ${tools.length} ${tools.length === 1 ? "tool" : "tools"}`,
      ...tools.map(({ id, description }) => visibleText(`  ${id}  ${firstLine(description)}`)),
    ]
  return [
    visibleText(`${title} does not run: ${whyNot(server, project)}`),
    ...log.slice(-shownLog).map((line) => visibleText(`  ${line}`)),
  ]
}

/** A server that was tested is not told to be tested. */
function whyNot(server: Server, project: string | null): string {
  const { state, error } = server
  if (state === "failed" && error !== null) return firstLine(error)
  return reasonOf(server, project) ?? `it is ${state}`
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? ""
}

function placeOf({ file, line }: NonNullable<Server["origin"]>): string {
  return line === null ? file : `${file}:${line}`
}
