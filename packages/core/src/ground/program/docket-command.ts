import { existsSync, realpathSync } from "node:fs"
import { homedir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../../..", import.meta.url))
/** A checkout runs its sources, or a build in `.docket/builds`; a package has no script of a checkout. */
const checkouts = [root, ...(path.basename(path.dirname(root)) === "builds" ? [path.join(root, "../../..")] : [])]
const scripts = [
  ...checkouts.map((one) => path.join(one, "scripts", "docket.mjs")),
  path.join(root, "bin", "docket.js"),
]
const script = scripts.find(existsSync)

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
  const program = isInstalled(directories) || script === undefined ? "docket" : `node ${quoted(script)}`
  const usual = path.join(home, ".docket")
  return `${program} ${command}${data === usual ? "" : ` --data ${quoted(data)}`}`
}

/** Whether `docket` of the search path is this one. */
function isInstalled(directories = ""): boolean {
  return directories.split(path.delimiter).some((directory) => {
    if (!path.isAbsolute(directory)) return false
    try {
      return realpathSync(path.join(directory, "docket")).startsWith(root)
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
