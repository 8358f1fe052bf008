import { readdir, readFile, stat } from "node:fs/promises"
import path from "node:path"
import { isOfOtherPrograms } from "./home-files.ts"

export interface DataFile {
  /** Relative to the data directory, with `/`. */
  path: string
  size: number
  mode: number
  /** What is stored in its place. */
  content?: Buffer
}

export interface DataFiles {
  directories: string[]
  files: DataFile[]
  leftOut: Record<string, string>
}

/** The database is taken row by row; the others are of the running process, or made again when they are missing. */
const ofTheService = /^(?:docket\.db.*|lock\.(?:db.*|json.*)|before-.*|\.restoring|.*\.tmp|.*\.new)$/
const ofTheProcess = new Set(["last-sign", "running-commands", "sandbox"])
const keys = new Set(["auth.json", "token", "team-secret", "logins.json", "webhook-secrets"])
/** Settings of a team that are no secret. Without its roots a service would open every directory. */
const plainSettings = ["url", "limits", "roots"]

/**
 * What a backup takes of a data directory. Worktrees are of the projects' repositories, which hold the work of tasks as
 * commits; links lead elsewhere.
 */
export async function findDataFiles(data: string, { withKeys }: { withKeys: boolean }): Promise<DataFiles> {
  const found: DataFiles = { directories: [], files: [], leftOut: {} }
  const whyNot = (relative: string): string | null => {
    const parts = relative.split("/")
    const isOther = parts[0] === "workspaces"
    // The same files are kept by every workspace, each in its own place.
    const own = isOther ? parts.slice(2) : parts
    const [name = ""] = own
    if (isOfOtherPrograms(relative)) return "other programs keep it there, and fetch it again"
    if (own.length !== 1) return null
    if (!isOther && ofTheService.test(name)) return ""
    if (ofTheProcess.has(name)) return ""
    if (name === "worktrees") return "the projects' repositories hold the work of tasks"
    return !withKeys && keys.has(name) ? "keys are left out; --with-keys takes them along" : null
  }
  const walk = async (relative: string): Promise<void> => {
    const entries = await readdir(path.join(data, relative), { withFileTypes: true }).catch(gone([]))
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const place = relative === "" ? entry.name : `${relative}/${entry.name}`
      const why = whyNot(place)
      if (why === "") continue
      if (why !== null) found.leftOut[place] = why
      else if (entry.isDirectory()) {
        found.directories.push(place)
        await walk(place)
      } else if (entry.isFile()) await add(place)
      else found.leftOut[place] = "neither a file nor a directory"
    }
  }
  const add = async (place: string): Promise<void> => {
    const known = await stat(path.join(data, place)).catch(gone(null))
    if (known === null) return
    const file = { path: place, size: known.size, mode: known.mode & 0o777 }
    if (place !== "team.json" || withKeys) return void found.files.push(file)
    const { content, left } = withoutSecrets(await readFile(path.join(data, place)))
    if (left.length > 0) found.leftOut[place] = `without ${left.join(", ")}; --with-keys takes them along`
    found.files.push({ ...file, size: content.length, content })
  }
  await walk("")
  return found
}

/** A running service removes files meanwhile. */
function gone<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return instead
    throw error
  }
}

function withoutSecrets(text: Buffer): { content: Buffer; left: string[] } {
  const settings = Object.entries(JSON.parse(text.toString("utf8")) as Record<string, unknown>)
  const plain = settings.filter(([name]) => plainSettings.includes(name))
  const left = settings.map(([name]) => name).filter((name) => !plainSettings.includes(name))
  return { content: Buffer.from(`${JSON.stringify(Object.fromEntries(plain), null, 2)}\n`), left }
}
