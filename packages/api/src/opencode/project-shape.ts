import type { ProjectEntry, ProjectMatch } from "@docket/core"
import type { LanguageServerState, ListedExtension, Project, PromptCommand } from "@docket/core/schema"
import type * as Sdk from "@opencode-ai/sdk/v2/types"

export function projectShape({ id, name, worktree, git, time }: Project) {
  return {
    ...{ id, name, worktree, ...(git && { vcs: "git" as const }) },
    time: { created: time.created, updated: time.opened },
    sandboxes: [],
  } satisfies Sdk.Project
}

/** A command without its template, which stays in the service. */
export function commandShape({ name, description, hint, agent, model, subtask }: PromptCommand) {
  return {
    ...{ name, description, subtask, template: "", hints: hint === null ? [] : [hint] },
    ...(agent !== null && { agent }),
    ...(model !== null && { model: `${model.providerID}/${model.modelID}` }),
  } satisfies Sdk.Command
}

export function fileNodeShape({ name, path, type, ignored }: ProjectEntry, directory: string) {
  return { name, path, absolute: `${directory}/${path}`, type, ignored } satisfies Sdk.FileNode
}

export function matchShape({ path, line, text, offset, places }: ProjectMatch) {
  return {
    path: { text: path },
    lines: { text },
    line_number: line,
    absolute_offset: offset,
    submatches: places.map(({ text, start, end }) => ({ match: { text }, start, end })),
  } satisfies Sdk.FindTextResponse[number]
}

/** The language servers that run, one for each directory in which they do. */
export function lspShapes({ id, running }: LanguageServerState) {
  return running.map(({ root }) => ({ id, name: id, root, status: "connected" as const })) satisfies Sdk.LspStatus[]
}

/** What OpenCode calls the state of an MCP server. */
export function mcpShape({ state, error }: ListedExtension): Sdk.McpStatus {
  switch (state) {
    case "off":
    case "waits":
      return { status: "disabled" }
    case "needs-login":
      return { status: "needs_auth" }
    case "failed":
      return { status: "failed", error: error ?? "It does not work." }
    default:
      return { status: "connected" }
  }
}
