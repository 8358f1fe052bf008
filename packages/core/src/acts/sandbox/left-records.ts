import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { inDirectory, withWriting } from "./held-directory.ts"
import { isThere } from "./is-there.ts"
import { isLeftID, leftID, leftPattern, leftTextID } from "./left-content.ts"
import { moveFile } from "./move-aside.ts"

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
