import { formatDuration } from "@docket/core/duration"
import type { ListedExtension } from "@docket/core/schema"
import { formatCount } from "../../../../../ui/format-count.ts"
import type { Status } from "../../../../../ui/status.ts"

/** What a list of extensions of a kind is called, and says when it is empty. */
export const kinds = [
  { kind: "mcp", name: "MCP servers", empty: "No MCP server is configured." },
  { kind: "plugin", name: "Plugins", empty: "No plugin is configured." },
  { kind: "hook", name: "Hooks", empty: "No hook is configured." },
] as const

const states = {
  ready: { status: "done", label: "Ready" },
  starting: { status: "running", label: "Starting" },
  idle: { status: "queued", label: "Starts when needed" },
  waits: { status: "needs", label: "Waits for your consent" },
  "needs-login": { status: "needs", label: "Needs a sign-in" },
  failed: { status: "failed", label: "Failed" },
  off: { status: "stopped", label: "Switched off" },
} as const satisfies Record<ListedExtension["state"], { status: string; label: string }>

/** The glyph and the word for its state. What a project brings waits for trust, unless it says for what it waits. */
export function stateOf({ state, ref, error }: Pick<ListedExtension, "state" | "ref" | "error">): {
  status: Status
  label: string
} {
  if (state !== "waits") return states[state]
  if (error !== null) return { ...states.waits, label: "Waits" }
  return ref.projectID === null ? states.waits : { ...states.waits, label: "Waits for trust" }
}

/** Whether somebody is signed in with it; null for one that signs in to nothing. */
export function signedInOf({ signIn }: Pick<ListedExtension, "signIn">): string | null {
  if (signIn === undefined) return null
  return signIn.state === "in" ? `signed in to ${signIn.provider}` : `signed out of ${signIn.provider}`
}

/** What it did in the last seven days. */
export function useOf({ use }: Pick<ListedExtension, "use">): string {
  if (use.calls === 0) return "Not used in the last 7 days"
  const failed = use.failures === 0 ? "" : `, ${use.failures} failed`
  return `${formatCount(use.calls, "call")}${failed} in 7 days, ${timeOf(use.ms / use.calls)} each`
}

/** Where it is configured, short: a path below the project, or the file's name. */
export function originOf({ origin }: Pick<ListedExtension, "origin">, directory: string): string | null {
  if (origin === null) return null
  const file = origin.file.startsWith(`${directory}/`) ? origin.file.slice(directory.length + 1) : origin.file
  return origin.line === null ? file : `${file}:${origin.line}`
}

function timeOf(ms: number): string {
  return ms < 1_000 ? `${Math.max(1, Math.round(ms))} ms` : formatDuration(ms)
}
