import { z } from "zod"
import { idOf } from "./ids.ts"

/** The acts that the audit log records, each in the words that follow the name of the person. */
export const auditActs = {
  "sign-in": "signed in",
  "sign-in.failed": "tried to sign in and failed",
  "sign-out": "signed out",
  "sign-in.ended": "ended a sign-in",
  "sign-in.method": "changed how they sign in",
  "person.joined": "joined the workspace",
  "person.left": "left the workspace",
  "person.removed": "removed somebody",
  "person.opened": "showed the private sessions of somebody who is gone",
  "person.role": "changed a role",
  "person.reset": "made a link for a new password",
  "invitation.made": "invited somebody",
  "invitation.ended": "took an invitation back",
  "key.made": "made a key",
  "key.ended": "revoked a key",
  "call.refused": "was refused",
  "workspace.made": "made a workspace",
  "workspace.changed": "changed the workspace",
  "workspace.removed": "removed a workspace",
  "service.changed": "changed the service",
  "node.drained": "told a node to take no more work",
  "node.resumed": "let a node take work again",
  "secrets.rotated": "sealed the secrets with a new key",
  "project.opened": "opened a project",
  "project.added": "added a repository as a project",
  "credential.saved": "saved a credential for repositories",
  "credential.removed": "removed a credential for repositories",
  "trust.given": "trusted what a project brings along",
  "trust.ended": "took trust back",
  "provider.changed": "changed keys, packages or facts of providers",
  "agent.changed": "changed an agent",
  "server.restarted": "restarted a language server",
  "extension.switched": "switched an extension on or off",
  "extension.restarted": "restarted an extension",
  "extension.uninstalled": "uninstalled an extension",
  "extension.signed": "signed in to an extension, or out of it",
  "webhook.made": "made a webhook",
  "webhook.changed": "changed a webhook",
  "webhook.paused": "paused a webhook",
  "webhook.resumed": "started a webhook again",
  "webhook.secret": "gave a webhook a new secret",
  "webhook.tested": "tested a webhook",
  "webhook.sent": "sent a delivery of a webhook again",
  "webhook.removed": "removed a webhook",
  "webhook.disabled": "disabled a webhook that failed",
  "share.made": "made a link",
  "share.changed": "changed a link",
  "share.ended": "ended links",
  "session.started": "started a session",
  "session.changed": "changed a session",
  "session.removed": "removed a session",
  "session.imported": "imported a session",
  prompted: "prompted",
  "prompt.withdrawn": "took a prompt back",
  stopped: "stopped work",
  answered: "answered an agent",
  "grant.ended": "took back what was always allowed",
  "left.allowed": "allowed what a command left",
  "plan.edited": "edited a plan",
  "task.directed": "directed a task",
  "task.merged": "merged a task",
  undone: "undid work",
  redone: "brought back what was undone",
  judged: "judged a task",
  "todo.edited": "edited todos",
  "memory.edited": "edited memory",
  "schedule.edited": "edited a schedule",
} as const

export const AuditAct = z.enum(Object.keys(auditActs) as (keyof typeof auditActs)[])
export type AuditAct = z.infer<typeof AuditAct>

/** Most characters of one name, id or fact. */
const longest = 300

/**
 * An act of a person, or an attempt: who did it, when, how and to what. It contains no text that people wrote.
 */
export const AuditEntry = z.object({
  id: idOf("audit"),
  /** When the act began, epoch ms. */
  at: z.number(),
  act: AuditAct,
  /** The person with the name they had then; null when unknown. */
  person: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The procedure or route that was called. */
  call: z.string(),
  /** `key`: an API key of a program; `token`: of the service or a tenant; `service`: Docket acted without a request. */
  via: z.enum(["browser", "cli", "key", "token", "service"]),
  /** The name of the key or token. */
  credential: z.string().nullable(),
  /** The network address that the request came from. */
  address: z.string().nullable(),
  /** Ids and names of the things that the act changed, by kind. */
  targets: z.record(z.string(), z.string().max(longest)),
  /** Choices that were made: a role, an answer, a status. */
  facts: z.record(z.string(), z.union([z.string().max(longest), z.number(), z.boolean()])),
})
export type AuditEntry = z.infer<typeof AuditEntry>
