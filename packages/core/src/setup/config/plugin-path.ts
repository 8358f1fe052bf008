import { isAbsolute } from "node:path"

/** Whether an entry of `plugin` names a file, and no package. */
export function isPluginPath(spec: string): boolean {
  return /^(?:\.{1,2}\/|file:)/.test(spec) || isAbsolute(spec)
}

/** Why a file that a project's configuration names is not loaded: it could lie anywhere, and nobody was shown it. */
export const projectPluginPath =
  "It is not loaded: a project's own plugins are files in .docket/plugin or .opencode/plugin, which people see before they trust them. Move it there."
