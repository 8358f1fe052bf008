import type { PermissionOption } from "@agentclientprotocol/sdk/unstable"
import { grantReach, reaches } from "@docket/core/rule"
import type { PermissionRequest, Question, QuestionAnswer } from "@docket/core/schema"
import type { PermissionAnswer } from "../run/ask-permission.ts"

const answers: Record<string, PermissionAnswer> = {
  once: { reply: "once" },
  always: { reply: "always" },
  project: { reply: "always", within: "project" },
  reject: { reply: "reject" },
}

/** The answers to a permission request that the editor offers, the narrowest first. */
export function permissionOptions({
  permission,
  patterns,
  always,
}: Pick<PermissionRequest, "permission" | "patterns" | "always">): PermissionOption[] {
  const reach = grantReach(permission, [...patterns, ...always])
  return [
    { optionId: "once", kind: "allow_once", name: "Allow once" },
    { optionId: "always", kind: "allow_always", name: "Always allow in this session" },
    ...(reaches(reach, "project")
      ? [{ optionId: "project", kind: "allow_always", name: "Always allow in this project" } as const]
      : []),
    { optionId: "reject", kind: "reject_once", name: "Reject" },
  ]
}

/** What an offered answer means; an answer that was not offered rejects. */
export function permissionAnswer(optionId: string): PermissionAnswer {
  return (Object.hasOwn(answers, optionId) && answers[optionId]) || { reply: "reject" }
}

const leave = "leave"

/** The answers to one question of an agent: each of its options, and none. */
export function questionOptions({ options }: Pick<Question, "options">): PermissionOption[] {
  return [
    ...options.map(({ label }, index) => ({ optionId: String(index), kind: "allow_once" as const, name: label })),
    { optionId: leave, kind: "reject_once", name: "No answer" },
  ]
}

/** The chosen answer; null for none. */
export function questionAnswer({ options }: Pick<Question, "options">, optionId: string): QuestionAnswer | null {
  const chosen = optionId === leave ? undefined : options[Number(optionId)]
  return chosen === undefined ? null : { choices: [chosen.label], own: null }
}
