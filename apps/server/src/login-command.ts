import { existsSync, realpathSync } from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const script = path.join(root, "scripts", "docket.mjs")

export interface LoginCommandInput {
  /** Absolute paths. */
  data: string
  home: string
  /** The variable of that name. */
  path: string | undefined
}

/** The command that prints a new login link of this service, as it can be typed on this machine. */
export function loginCommand({ data, home, path: directories }: LoginCommandInput): string {
  const program = isInstalled(directories) || !existsSync(script) ? "docket" : `node ${quoted(script)}`
  const usual = path.join(home, ".docket")
  return `${program} login${data === usual ? "" : ` --data ${quoted(data)}`}`
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
