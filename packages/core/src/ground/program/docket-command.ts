import { existsSync, realpathSync } from "node:fs"
import { homedir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../../..", import.meta.url))
const script = path.join(root, "scripts", "docket.mjs")

export interface DocketCommandInput {
  /** The arguments of `docket`, e.g. `login`. */
  command: string
  /** The data directory that it is for, absolute. */
  data: string
  /** The variable PATH. */
  path: string | undefined
  home?: string
}

/** A command of Docket as it can be typed on this machine, from any directory. */
export function docketCommand({ command, data, path: directories, home = homedir() }: DocketCommandInput): string {
  const program = isInstalled(directories) || !existsSync(script) ? "docket" : `node ${quoted(script)}`
  const usual = path.join(home, ".docket")
  return `${program} ${command}${data === usual ? "" : ` --data ${quoted(data)}`}`
}

/** Whether `docket` of the search path is this one. */
function isInstalled(directories = ""): boolean {
  return directories.split(path.delimiter).some((directory) => {
    if (!path.isAbsolute(directory)) return false
    try {
      return realpathSync(path.join(directory, "docket")).startsWith(path.join(root, "apps", "cli"))
    } catch {
      return false
    }
  })
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  if (process.platform === "win32") return `"${word}"`
  return `'${word.replaceAll("'", "'\\''")}'`
}
