import { isUtf8 } from "node:buffer"
import { type Dirent, readdirSync, renameSync } from "node:fs"
import path from "node:path"
import { freeName } from "./free-name.ts"
import { inDirectory, withWriting } from "./held-directory.ts"

/** Directories of one that are looked through; more are taken for what may hold anything. */
const maxDirectories = 1_000

/** A directory whose name is no UTF-8: by its text it is not found. */
export interface UndecodableDirectory {
  parent: string
  name: Buffer
}

/** Those in a directory that was just read. */
export function undecodableIn(parent: string, entries: readonly Dirent[]): UndecodableDirectory[] {
  if (!entries.some((entry) => entry.isDirectory() && entry.name.includes("\ufffd"))) return []
  return readdirSync(parent, { withFileTypes: true, encoding: "buffer" })
    .filter((entry) => entry.isDirectory() && !isUtf8(entry.name))
    .map(({ name }) => ({ parent, name }))
}

/** What tells one from another. */
export function undecodableKey({ parent, name }: UndecodableDirectory): string {
  return path.join(parent, name.toString("latin1"))
}

/** Whether something in it has one of these names, in small letters; also when that cannot be known. */
export function mayHold({ parent, name }: UndecodableDirectory, names: (name: string) => boolean): boolean {
  const waiting = [inside(Buffer.from(parent), name)]
  for (let count = 1; ; count++) {
    const directory = waiting.pop()
    if (directory === undefined) return false
    if (count > maxDirectories) return true
    try {
      for (const entry of readdirSync(directory, { withFileTypes: true, encoding: "buffer" })) {
        if (names(entry.name.toString().toLowerCase())) return true
        if (entry.isDirectory()) waiting.push(inside(directory, entry.name))
      }
    } catch {
      return true
    }
  }
}

/** Gives it a name that can be looked at; null when that cannot be done. */
export function giveReadableName({ parent, name }: UndecodableDirectory): string | null {
  return inDirectory(parent, (held) => {
    const readable = name.toString("latin1").replace(/[^\w.-]/g, "_")
    const fresh = freeName(held, `${readable.slice(0, 200)}.switched-off`)
    try {
      withWriting(held, () => renameSync(inside(Buffer.from(held), name), `${held}/${fresh}`))
      return fresh
    } catch {
      return null
    }
  })
}

function inside(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from("/"), name])
}
