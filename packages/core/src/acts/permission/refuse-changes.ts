import { presetLabel } from "../../ground/rule/preset-words.ts"
import { presetRules } from "../../ground/rule/presets.ts"
import { changePermission, refusedChange } from "../../ground/rule/refused-change.ts"
import type { PermissionRuleset } from "../../ground/schema/index.ts"
import type { SessionStore } from "../../ground/store/index.ts"
import { PermissionDeniedError } from "./error.ts"
import { lineOf } from "./line-of.ts"

export interface ChangesInput {
  sessionID: string
  /** The session's own rules, merged. */
  rules: PermissionRuleset
  /** The rules of each session above it. */
  ceilings: readonly PermissionRuleset[]
  /** Commands that may change something. */
  commands: readonly string[]
}

const onlyReads = "here only commands run that are known to change nothing, such as ls, rg or git log"

/** @throws PermissionDeniedError where only commands that read are run, by rules or by a preset as it is now */
export async function refuseChanges(
  sessions: Pick<SessionStore, "get">,
  { sessionID, rules, ceilings, commands }: ChangesInput,
): Promise<void> {
  const presets = presetRules(await lineOf(sessions, sessionID))
  const refused = refusedChange(commands, [rules, ...ceilings, ...presets.ceilings])
  if (refused === null) return
  const { preset, mode } = refused.rule
  const why = preset === undefined ? onlyReads : `the session is set to “${presetLabel(preset)}”: ${onlyReads}`
  throw new PermissionDeniedError(changePermission, refused.command, { reason: why, mode })
}
