import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { DocketError } from "@docket/core"
import { HostID } from "@docket/core/schema"

/**
 * The id of this host, whose directories projects lie in. It is kept in the data directory, because a machine may get
 * another name or address.
 * @param create makes a new id, when there is none yet
 * @throws store_unavailable when the file holds no id
 */
export function hostID(data: string, create: () => string): string {
  const file = path.join(data, "host-id")
  const kept = HostID.safeParse(readOrCreate(file, create).trim())
  if (kept.success) return kept.data
  const message = `${file} names no host. Restore it from a backup: projects are bound to the id in it.`
  throw new DocketError("store_unavailable", message)
}

function readOrCreate(file: string, create: () => string): string {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  const fresh = `${file}.new`
  writeFileSync(fresh, `${create()}\n`, { mode: 0o600 })
  // Whole or not at all: a half-written id would name another host.
  linkSync(fresh, file)
  rmSync(fresh)
  return readFileSync(file, "utf8")
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT"
}
