import { createHash, type Hash } from "node:crypto"
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import path from "node:path"

/** Characters of an id. */
const length = 32
/** What is larger has no id, and is allowed by hand. */
const maxEntries = 5_000
const maxBytes = 32 * 1024 * 1024
const ownerExecutes = 0o100

/** Stands for what lies at a name: another content, or another name, has another id. Null where it cannot be told. */
export function leftID(shown: string, file: string): string | null {
  const hash = createHash("sha256").update(JSON.stringify(shown))
  try {
    add(hash, file, { entries: maxEntries, bytes: maxBytes })
    return hash.digest("hex").slice(0, length)
  } catch {
    return null
  }
}

/** The same for a file that holds this text and that nobody runs. */
export function leftTextID(shown: string, text: string): string {
  const hash = createHash("sha256").update(JSON.stringify(shown))
  return addFile(hash, false, Buffer.from(text)).digest("hex").slice(0, length)
}

export function isLeftID(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

/** What is remembered of something that was allowed. */
export function leftPattern({ shown, id }: { shown: string; id: string }): string {
  return `${shown} ${id}`
}

interface Budget {
  entries: number
  bytes: number
}

function add(hash: Hash, file: string, budget: Budget): void {
  const facts = lstatSync(file)
  budget.entries--
  budget.bytes -= facts.isFile() ? facts.size : 0
  if (budget.entries < 0 || budget.bytes < 0) throw new Error("too large")
  if (facts.isFile()) addFile(hash, (facts.mode & ownerExecutes) !== 0, readFileSync(file))
  else if (facts.isSymbolicLink()) hash.update(`link ${JSON.stringify(readlinkSync(file))}`)
  else if (facts.isDirectory()) {
    const names = readdirSync(file).sort()
    hash.update(`directory ${JSON.stringify(names)}`)
    for (const name of names) add(hash, path.join(file, name), budget)
  } else throw new Error("neither file nor directory")
}

function addFile(hash: Hash, isRun: boolean, content: Buffer): Hash {
  return hash.update(`file ${isRun} ${content.length} `).update(content)
}
