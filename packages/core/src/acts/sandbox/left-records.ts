import { createHash, type Hash } from "node:crypto"
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import path from "node:path"
import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { inDirectory, isRefusal, isThere, withWriting } from "./held-directory.ts"

/**
 * A file that a command left and Docket removed or replaced, with all that is needed to restore it. Stored outside
 * every sandbox.
 */
const LeftRecord = z.object({
  id: z.string(),
  /** The name shown to users. */
  shown: z.string(),
  /** The original path (absolute). */
  file: z.string(),
  /** The file's current path; or its original text, with the id of the text that Docket wrote instead. */
  kept: z.union([z.object({ at: z.string() }), z.object({ text: z.string(), instead: z.string() })]),
})
type LeftRecord = z.infer<typeof LeftRecord>

const byHand = "Look at it, and put it back by hand"

/** @param directory the records of a project */
export function keepRecord(directory: string, record: LeftRecord): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  writeFileSync(recordFile(directory, record.id), JSON.stringify(record), { mode: 0o600 })
}

/**
 * Restores a removed file after `allow` has stored the permission. Changes nothing when somebody else has changed the
 * file since.
 * @param directory the records of the project
 * @throws left_not_kept, left_changed
 */
export async function putBack(directory: string, id: string, allow: (pattern: string) => Promise<void>): Promise<void> {
  const record = readRecord(directory, id)
  assertRestorable(record)
  await allow(leftPattern(record))
  assertRestorable(record)
  const { file, kept } = record
  const isDone = "at" in kept ? moveFile(kept.at, file) : overwrite(file, kept.text)
  if (!isDone) throw changed(record, "Its directory is not there any more")
  rmSync(recordFile(directory, id), { force: true })
  if ("at" in kept && path.dirname(kept.at) !== path.dirname(file)) rmSync(path.dirname(kept.at), { recursive: true })
}

function assertRestorable(record: LeftRecord): void {
  const { id, shown, file, kept } = record
  if (!isThere(path.dirname(file))) throw changed(record, "Its directory is not there any more")
  if ("at" in kept) {
    if (isThere(file)) throw changed(record, "Something of this name is there by now. Move it away first")
    if (leftID(shown, kept.at) !== id) throw changed(record, `${kept.at} has changed since, or is gone. ${byHand}`)
  } else {
    if (leftTextID(shown, kept.text) !== id)
      throw changed(record, `It was changed while it was switched off. ${byHand}`)
    if (leftID(shown, file) !== kept.instead) throw changed(record, `It has changed since, or is gone. ${byHand}`)
  }
}

function changed({ shown }: LeftRecord, why: string): DocketError {
  const words = `${shown} was not allowed, and nothing was changed. ${why}.`
  return new DocketError("left_changed", words)
}

function readRecord(directory: string, id: string): LeftRecord {
  try {
    if (isLeftID(id)) return LeftRecord.parse(JSON.parse(readFileSync(recordFile(directory, id), "utf8")))
  } catch {
    // It was allowed before, or belongs to another machine.
  }
  throw new DocketError(
    "left_not_kept",
    "This is not kept here any more: it was allowed already, or its session was brought from another machine.",
  )
}

function recordFile(directory: string, id: string): string {
  return path.join(directory, `${id}.json`)
}

/** Replaces the file by a new one, without following a link. */
export function overwrite(file: string, text: string): boolean {
  const name = path.basename(file)
  const written = inDirectory(path.dirname(file), (held) => {
    const fresh = `${held}/${name}.docket-${process.pid}`
    try {
      withWriting(held, () => {
        writeFileSync(fresh, text, { flag: "wx" })
        renameSync(fresh, `${held}/${name}`)
      })
      return true
    } catch {
      rmSync(fresh, { force: true })
      return false
    }
  })
  return written === true
}

/** Characters of an id. */
const idLength = 32
/** Larger files and directories have no id and can only be restored by hand. */
const maxEntries = 5_000
const maxBytes = 32 * 1024 * 1024
const ownerExecutes = 0o100

/** Identifies a file or directory by its name and content. Null when it cannot be read. */
export function leftID(shown: string, file: string): string | null {
  const hash = createHash("sha256").update(JSON.stringify(shown))
  try {
    addToHash(hash, file, { entries: maxEntries, bytes: maxBytes })
    return hash.digest("hex").slice(0, idLength)
  } catch {
    return null
  }
}

/** The same for a file that would contain this text and is not executable. */
export function leftTextID(shown: string, text: string): string {
  const hash = createHash("sha256").update(JSON.stringify(shown))
  return addFile(hash, false, Buffer.from(text)).digest("hex").slice(0, idLength)
}

function isLeftID(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

/** The pattern of the grant for an allowed file. */
export function leftPattern({ shown, id }: { shown: string; id: string }): string {
  return `${shown} ${id}`
}

/** How much may still be hashed. */
interface Budget {
  entries: number
  bytes: number
}

function addToHash(hash: Hash, file: string, budget: Budget): void {
  const facts = lstatSync(file)
  budget.entries--
  budget.bytes -= facts.isFile() ? facts.size : 0
  if (budget.entries < 0 || budget.bytes < 0) throw new Error("too large")
  if (facts.isFile()) addFile(hash, (facts.mode & ownerExecutes) !== 0, readFileSync(file))
  else if (facts.isSymbolicLink()) hash.update(`link ${JSON.stringify(readlinkSync(file))}`)
  else if (facts.isDirectory()) {
    const names = readdirSync(file).sort()
    hash.update(`directory ${JSON.stringify(names)}`)
    for (const name of names) addToHash(hash, path.join(file, name), budget)
  } else throw new Error("neither file nor directory")
}

function addFile(hash: Hash, isRun: boolean, content: Buffer): Hash {
  return hash.update(`file ${isRun} ${content.length} `).update(content)
}

const ownerAll = 0o700

/**
 * Moves a file or directory to a place outside every sandbox.
 * @param to a directory that does not exist yet
 * @returns its new path; null when it could not be moved
 */
export function moveAside(file: string, to: string): string | null {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  const aside = path.join(to, path.basename(file))
  return moveFile(file, aside) ? aside : null
}

/** Moves a file or directory to an unused name, through open descriptors of both directories. False when it cannot. */
function moveFile(from: string, to: string): boolean {
  const moved = inDirectory(path.dirname(from), (source) =>
    inDirectory(path.dirname(to), (target) => {
      const [old, fresh] = [`${source}/${path.basename(from)}`, `${target}/${path.basename(to)}`]
      if (isThere(fresh)) return false
      try {
        withWriting(source, () => renameWhole(from, old, fresh))
      } catch (error) {
        const code = error instanceof Error && "code" in error ? error.code : undefined
        if (code === "ENOENT") return false
        if (code !== "EXDEV") throw error
        // The data directory and the project are on different file systems.
        cpSync(old, fresh, { recursive: true, verbatimSymlinks: true, filter: isPlainFile })
        rmSync(old, { recursive: true, force: true })
      }
      return true
    }),
  )
  return moved === true
}

/**
 * Renames `old`, which is `file` by the path of its open directory. A directory that is not writable is made so first,
 * because it could not be moved otherwise.
 */
function renameWhole(file: string, old: string, fresh: string): void {
  try {
    renameSync(old, fresh)
  } catch (error) {
    if (!isRefusal(error) || !lstatSync(old).isDirectory()) throw error
    const isDone = inDirectory(file, (held) => {
      chmodSync(held, ownerAll)
      renameSync(old, fresh)
      return true
    })
    if (isDone === null) throw error
  }
}

/** A pipe or socket has no content and cannot be copied. */
function isPlainFile(file: string): boolean {
  const facts = lstatSync(file)
  return facts.isFile() || facts.isDirectory() || facts.isSymbolicLink()
}
