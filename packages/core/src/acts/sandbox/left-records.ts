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

/** What a command left and could not keep, as it can be put back. It lies where no program of a sandbox sees it. */
const LeftRecord = z.object({
  id: z.string(),
  /** As people are told. */
  shown: z.string(),
  /** Absolute: where it lay. */
  file: z.string(),
  /** Where it is now; or the text that stood there, and the id of what Docket wrote in its place. */
  kept: z.union([z.object({ at: z.string() }), z.object({ text: z.string(), instead: z.string() })]),
})
type LeftRecord = z.infer<typeof LeftRecord>

const byHand = "Look at it, and put it back by hand"

/** @param directory of the records of a project */
export function keepRecord(directory: string, record: LeftRecord): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  writeFileSync(recordFile(directory, record.id), JSON.stringify(record), { mode: 0o600 })
}

/**
 * Puts back what a command left, once `allow` has stored that it may be there. Nothing is changed when somebody else has
 * changed it since.
 * @param directory of the records of the project
 * @throws left_not_kept, left_changed
 */
export async function putBack(directory: string, id: string, allow: (pattern: string) => Promise<void>): Promise<void> {
  const record = readRecord(directory, id)
  check(record)
  await allow(leftPattern(record))
  check(record)
  const { file, kept } = record
  const isDone = "at" in kept ? moveFile(kept.at, file) : overwrite(file, kept.text)
  if (!isDone) throw changed(record, "Its directory is not there any more")
  rmSync(recordFile(directory, id), { force: true })
  if ("at" in kept && path.dirname(kept.at) !== path.dirname(file)) rmSync(path.dirname(kept.at), { recursive: true })
}

function check(record: LeftRecord): void {
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
    // It was allowed before, or is of another machine.
  }
  throw new DocketError(
    "left_not_kept",
    "This is not kept here any more: it was allowed already, or its session was brought from another machine.",
  )
}

function recordFile(directory: string, id: string): string {
  return path.join(directory, `${id}.json`)
}

/** By a new file with a name of its own: no link is followed. */
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

function isLeftID(text: string): boolean {
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

const ownerAll = 0o700

/**
 * Moves a file or directory to a place that no program of a sandbox sees.
 * @param to a directory that is not there yet
 * @returns where it is now; null when it was gone
 */
export function moveAside(file: string, to: string): string | null {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  const aside = path.join(to, path.basename(file))
  return moveFile(file, aside) ? aside : null
}

/** Moves a file or directory to a name that is free; both are reached by open files of their directories. False when it cannot. */
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
        // Data and project are on two disks.
        cpSync(old, fresh, { recursive: true, verbatimSymlinks: true, filter: isPlainFile })
        rmSync(old, { recursive: true, force: true })
      }
      return true
    }),
  )
  return moved === true
}

/** A directory that is moved has to be writable itself. */
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

/** A pipe or a socket says nothing, and cannot be copied. */
function isPlainFile(file: string): boolean {
  const facts = lstatSync(file)
  return facts.isFile() || facts.isDirectory() || facts.isSymbolicLink()
}
