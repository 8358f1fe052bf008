import { visibleText } from "@docket/core/rule"
import type { LanguageServerState } from "@docket/core/schema"
import { tableLines } from "../table.ts"

/** The language servers of a project as lines under a heading: those that run first. */
export function lspLines(servers: readonly LanguageServerState[]): string[] {
  if (servers.length === 0) return ["this service has no language servers"]
  const order = ["running", "starting", "failed", "ready", "refused", "disabled", "absent"]
  const sorted = servers.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  const rows = sorted.map(({ id, state, extensions, program, running, reason }) => [
    visibleText(id),
    state,
    visibleText(extensions.join(" ")),
    visibleText(
      [running.map(({ pid }) => `pid ${pid}`).join(", "), program ?? "", reason ?? ""].filter(Boolean).join("; "),
    ),
  ])
  return tableLines([["server", "state", "files", "about"], ...rows])
}
