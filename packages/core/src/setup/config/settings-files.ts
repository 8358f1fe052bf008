import { join } from "node:path"

/** Files with settings of one level, absolute, lowest priority first. */
export interface SettingsFiles {
  docket: string[]
  /** OpenCode's, which count where none of Docket's is there. */
  opencode: string[]
}

const within = (directory: string, names: readonly string[]) => names.map((name) => join(directory, name))

/** In the user's own configuration directories, Docket's and OpenCode's. */
export function userSettings(directories: { docket: string; opencode: string }): SettingsFiles {
  return {
    docket: within(directories.docket, ["docket.json", "docket.jsonc"]),
    opencode: within(directories.opencode, ["config.json", "opencode.json", "opencode.jsonc"]),
  }
}

/** In a directory of a project. */
export function projectSettings(directory: string): SettingsFiles {
  const names = (name: string) => [`${name}.json`, `${name}.jsonc`, `.${name}/${name}.json`, `.${name}/${name}.jsonc`]
  return { docket: within(directory, names("docket")), opencode: within(directory, names("opencode")) }
}
