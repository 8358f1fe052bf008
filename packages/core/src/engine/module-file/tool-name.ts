import { repairToolName } from "../../acts/tool/run-tool.ts"
import { toolNames } from "../../ground/schema/tool-metadata.ts"
import { permissionNames, replaceableTools } from "../../setup/config/tool-names.ts"

/** Docket's tools, and permissions of other names. */
const takenNames: readonly string[] = [...new Set([...toolNames, ...permissionNames, "invalid"])]

/** Whether a file of this name would take the place of one of Docket's tools: whether it does, the user decides. */
export function mayReplace(name: string): boolean {
  return replaceableTools.some((known) => known === name)
}

/** Why a tool cannot be called by this name; null when it can. */
export function nameProblem(name: string): string | null {
  if (!/^[A-Za-z][\w-]{0,63}$/.test(name))
    return 'its name begins with a letter and has letters, digits, "_" and "-", at most 64 of them. Rename it.'
  const taken = repairToolName(name, takenNames)
  if (taken !== null) {
    return mayReplace(name)
      ? `Docket has "${taken}". Rename it, or name it in "custom_tools.replaces" of your own docket.json.`
      : `Docket has "${taken}", which nothing replaces. Rename it.`
  }
  // Rules for a file's tools are written `name_*`.
  const begun = takenNames.find((known) => known.startsWith(`${name}_`))
  return begun === undefined ? null : `rules for "${name}_*" would also be about Docket's "${begun}". Rename it.`
}
