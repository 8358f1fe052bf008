/** Keys that mean in an OpenCode configuration what they mean in docket.json. */
export const sharedKeys: ReadonlySet<string> = new Set([
  "$schema",
  "command",
  "default_agent",
  "disabled_providers",
  "enabled_providers",
  "instructions",
  "model",
  "permission",
  "provider",
  "small_model",
])

/** Keys that are put into other words. */
export const translatedKeys: ReadonlySet<string> = new Set([
  "agent",
  "autoshare",
  "experimental",
  "mode",
  "share",
  "subagent_depth",
  "tools",
])

/** Keys of OpenCode that nothing in Docket answers to, and what does instead. */
const unused: Readonly<Record<string, string>> = {
  attachment: "images are sent as they are",
  autoupdate: "who installed Docket updates it",
  compaction: "Docket itself knows when to condense",
  enterprise: "shares lie with Docket",
  experimental: "of its keys only primary_tools counts",
  formatter: "no formatter is started",
  keybinds: "the keys are Docket's own",
  layout: "there is one layout",
  logLevel: "the log has one level",
  lsp: "no language server is started",
  mcp: "no MCP server is started",
  plugin: "no plugin is loaded",
  reference: "name directories in the prompt",
  references: "name directories in the prompt",
  server: "give it to `docket serve`",
  shell: "commands run in bash",
  skills: "skills are found in their folders",
  snapshot: "snapshots are always kept",
  theme: "a theme is chosen in Settings",
  tool_output: "the limits of outputs are Docket's own",
  tui: "there is no terminal interface",
  username: "people are named by their login",
  watcher: "files are read when they are needed",
}

/** Why a key of OpenCode counts for nothing in Docket; null when it counts, or is none of OpenCode's. */
export function unusedKey(key: string): string | null {
  const instead = Object.hasOwn(unused, key) ? unused[key] : undefined
  return instead === undefined ? null : `"${key}" is not used by Docket: ${instead}.`
}
