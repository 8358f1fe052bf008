import path from "node:path"
import type { PermissionAsk } from "../../acts/permission/judge.ts"
import { askExternalDirectory } from "../../acts/tool/ask-external.ts"
import { askForCommand } from "../../acts/tool/ask-for-command.ts"
import { alwaysOfEdit, createFileGuard, ownFileError } from "../../acts/tool/guarded-files.ts"
import type { AskPlace } from "../../acts/tool/tool.ts"
import { resolveWorktreePath } from "../../acts/tool/worktree-path.ts"
import { changePermission } from "../../ground/rule/index.ts"

/** Something that an agent might do. `text` is a command line for `bash`, a path for files, else what its rules name. */
export interface Act {
  permission: string
  text: string
}

export interface ActPlace extends Omit<AskPlace, "ask" | "refuseChanges"> {
  /** The environment of the service. */
  env: Readonly<Record<string, string | undefined>>
}

/** Permissions that are judged by the file that they are about. */
const ofFiles: ReadonlySet<string> = new Set(["read", "edit", "write"])

/**
 * What the tools would ask leave for if an agent did that, in their order. Nothing is done; the files are looked at as they
 * are now, because links and missing ones decide what is asked.
 * @throws Error when the tool would refuse, whatever the rules say
 */
export async function actAsks({ permission, text }: Act, { env, ...place }: ActPlace): Promise<PermissionAsk[]> {
  const asks: PermissionAsk[] = []
  const context: AskPlace = {
    ...place,
    ask: async (ask) => void asks.push(ask),
    refuseChanges: async (patterns) =>
      void asks.push({ permission: changePermission, patterns, always: [], metadata: { kind: "other" } }),
  }
  if (permission === "bash") await askForCommand({ command: text }, context, { env })
  else if (ofFiles.has(permission)) await askForFile(permission === "read" ? "read" : "edit", text, context)
  else asks.push({ permission, patterns: [text], always: [text], metadata: { kind: "path", path: text } })
  return asks
}

async function askForFile(permission: "read" | "edit", text: string, context: AskPlace): Promise<void> {
  const target = await resolveWorktreePath(context, text)
  const guard = await createFileGuard(context)
  if (permission === "edit" && guard.isOwn(target.real)) throw ownFileError(text)
  await askExternalDirectory(context, target, { kind: "file", reads: permission === "read" })
  const named = path.resolve(context.directory, text)
  const patterns = permission === "read" ? [target.name] : guard.editPatterns({ named, real: target.real })
  const always = permission === "read" ? patterns : alwaysOfEdit(patterns)
  await context.ask({ permission, patterns, always, metadata: { kind: "path", path: target.real } })
}
