import { evaluateRequest } from "../../ground/rule/evaluate-request.ts"
import { presetRules } from "../../ground/rule/presets.ts"
import type { PermissionRuleset, Session } from "../../ground/schema/index.ts"
import type { SessionStore } from "../../ground/store/index.ts"
import type { Grants } from "./grants.ts"
import { lineOf } from "./line-of.ts"

export interface ClosedFilesInput {
  session: Pick<Session, "id" | "rootID">
  /** The session's own rules, merged. */
  rules: PermissionRuleset
  /** The rules of each session above it. */
  ceilings: readonly PermissionRuleset[]
  /** As tools name them. */
  files: readonly string[]
  /** The command that would read them. */
  command: string
}

/** A file that a command may not read without leave; `mayAsk` says whether a person could give it. */
export interface ClosedFile {
  file: string
  mayAsk: boolean
}

/** Those of some files that a command may not read without leave, by rules, presets and grants as they are now. */
export async function closedFiles(
  { grants, sessions }: { grants: Pick<Grants, "of">; sessions: Pick<SessionStore, "get"> },
  { session, rules, ceilings, files, command }: ClosedFilesInput,
): Promise<ClosedFile[]> {
  if (files.length === 0) return []
  const line = await lineOf(sessions, session.id)
  const above = [...ceilings, ...presetRules(line).ceilings]
  const allowed = await grants.of({ rootID: session.rootID, sessionID: session.id }, line)
  const question = { permission: "read", command, rules, ceilings: above, grants: allowed }
  return files.flatMap((file) => {
    const { action } = evaluateRequest({ ...question, patterns: [file] })
    return action === "allow" ? [] : [{ file, mayAsk: action === "ask" }]
  })
}
