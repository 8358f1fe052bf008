import { visibleText } from "@docket/core/rule"
import type { ListedExtension } from "@docket/core/schema"
import { tableLines } from "../table.ts"

type Plugin = Pick<ListedExtension, "ref" | "state" | "tools" | "error" | "use" | "signIn">

/** The plugins of a project as lines under a heading. */
export function pluginLines(plugins: readonly Plugin[]): string[] {
  if (plugins.length === 0) return ['no plugins are configured: "plugin" of docket.json names packages']
  const rows = plugins.map(({ ref, state, tools, error, use, signIn }) => [
    visibleText(ref.name),
    state,
    String(tools.length),
    String(use.calls),
    signIn === undefined ? "" : `${signIn.state === "in" ? "in" : "out of"} ${visibleText(signIn.provider)}`,
    visibleText(error?.split("\n")[0] ?? ""),
  ])
  return tableLines([["plugin", "state", "tools", "calls", "signed", "about"], ...rows])
}
