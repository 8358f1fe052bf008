import type { PermissionReason, PermissionRequest, PermissionRule } from "../schema/index.ts"
import { presetLabel } from "./preset-labels.ts"

type Asked = Pick<PermissionRequest, "permission" | "patterns" | "metadata" | "reasons">

/** Why a request has to be asked, a sentence each, in plain words. Older rows say nothing. */
export function describeReasons({ reasons = [], ...asked }: Asked): string[] {
  const sentences = reasons.map((reason) => sentence(reason, asked))
  return [...new Set([...outsideReasons(asked), ...sentences])]
}

/** What it means to leave the sandbox, and why it is wanted. */
function outsideReasons({ permission, metadata }: Asked): string[] {
  if (permission !== "sandbox") return []
  const why = metadata.kind === "command" && metadata.outside ? [`Why outside: ${metadata.outside}`] : []
  return ["Outside the sandbox it has all your rights: your files and keys, other projects and the network.", ...why]
}

function sentence({ why, patterns, rule }: PermissionReason, { permission, metadata }: Asked): string {
  const named = `${patterns.slice(0, 3).join(", ")}${patterns.length > 3 ? ` and ${patterns.length - 3} more` : ""}`
  switch (why) {
    case "unknown":
      return unknown(permission, metadata)
    case "unreadable":
      return "Some of the configuration cannot be read, so that everything is asked until it is mended: see Settings."
    case "configuration":
      return `${named} is configuration of Docket, which only a rule that names it may allow.`
    case "unset":
      return `No rule covers ${named}.`
    case "rule":
      return byRule(permission, named, rule)
  }
}

function unknown(permission: string, metadata: Asked["metadata"]): string {
  const isUnread = metadata.kind === "command" && metadata.effects === null
  if (isUnread) return "The command cannot be understood beforehand: it may run and touch anything."
  if (permission === "bash") return "Some of what it runs is known only when it runs."
  return "Some of the files that it touches are known only when it runs."
}

/** The rules that Docket sets itself speak for themselves. */
function byRule(permission: string, named: string, rule: PermissionRule | undefined): string {
  if (rule?.preset !== undefined) return `This session is set to “${presetLabel(rule.preset)}”, which asks for it.`
  const isDefault = rule?.permission === permission
  if (permission === "external_directory" && isDefault && rule.pattern === "*")
    return `${named} is outside the project.`
  if (permission === "read" && isDefault && rule.pattern.startsWith("*.env"))
    return `${named} is a file of a kind that often holds secrets.`
  if (permission === "sandbox" && isDefault) return "Each command that leaves the sandbox has to be allowed."
  if (permission === "doom_loop" && isDefault) return "The same call came again and again."
  return rule === undefined ? `A rule asks for ${named}.` : `A rule asks: ${rule.permission} ${rule.pattern}`
}
