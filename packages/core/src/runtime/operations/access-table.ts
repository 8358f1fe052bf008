import type { Role } from "../../ground/schema/index.ts"

/**
 * Who may do what: each capability with the lowest role that has it, and what it allows, in words. A higher role has
 * all capabilities of the lower ones. An `operator` runs the service itself, and has what belongs to no single
 * workspace.
 */
export const accessTable = {
  self: ["viewer", "see as whom they are signed in, and sign out"],
  account: ["viewer", "manage how they sign in themselves"],
  read: [
    "viewer",
    "read sessions with their files, tasks, todos, memory, schedules, reviews and links, and export them",
  ],
  comment: ["reviewer", "comment, answer in threads, and resolve them"],
  judge: ["reviewer", "judge tasks, and mark them as viewed"],
  prompt: ["member", "start sessions, prompt agents and stop them, send comments to them, and import sessions"],
  answer: ["member", "answer what agents ask, and choose what they may do unasked"],
  merge: ["member", "merge the work of a task into the project"],
  undo: ["member", "undo the work of a session, and bring it back"],
  "todo.edit": ["member", "change todos"],
  "memory.edit": ["member", "change memory"],
  "schedule.edit": ["member", "plan, run and remove schedules"],
  share: ["member", "share sessions, and change and end their own links"],
  "settings.read": ["member", "see the configuration in force: files, values, rules, texts, addresses and problems"],
  "sessions.manage": ["admin", "remove sessions of others"],
  "shares.manage": ["admin", "change and end the links of others"],
  "projects.manage": ["admin", "open projects, and look for them on the server"],
  "settings.manage": ["admin", "make, change and remove agents, restart language servers, and switch extensions"],
  "trust.manage": ["admin", "trust what a project brings along, and take that back"],
  "providers.manage": ["admin", "keep keys of providers, and look for model servers"],
  "keys.manage": ["admin", "make and revoke tokens and keys of programs"],
  "people.manage": ["admin", "invite people, choose their roles, and remove them"],
  "limits.manage": ["admin", "set the name, directories and limits of the workspace, and who sees its new sessions"],
  "webhooks.manage": ["admin", "make webhooks, and see what they were told"],
  "audit.read": ["admin", "read who did what"],
  "workspace.remove": ["owner", "remove the workspace with all that it holds"],
  "service.manage": [
    "operator",
    "install packages of providers, make and remove workspaces and tenants, drain nodes, and say who else runs the service",
  ],
} as const satisfies Record<string, readonly [needs: Role | "operator", words: string]>

export type Capability = keyof typeof accessTable

/** `as`: the keys of an object are listed as texts. */
export const capabilities = Object.keys(accessTable) as Capability[]
