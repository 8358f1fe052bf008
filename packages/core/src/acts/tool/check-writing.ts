import { createHash } from "node:crypto"
import { errorCode } from "../../ground/error/error-code.ts"
import type { FileWriting } from "../../ground/schema/tool-metadata.ts"
import { openChecked, removeTemporary } from "./checked-file.ts"
import { versionOf } from "./text-file.ts"

/** What happened to a write that was interrupted. */
export type WritingOutcome =
  /** Without a version, the file was removed. */
  | { kind: "done"; version?: string }
  | { kind: "not_done" }
  /** The file has neither the old nor the new content. */
  | { kind: "changed" }
  /** The file existed before and is gone. */
  | { kind: "gone" }
  /** The file cannot be read. */
  | { kind: "unreadable"; error: unknown }

/** SHA-256 in hex. */
export function contentSum(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex")
}

/** Compares a file with the planned write, and removes the temporary file that the write left. */
export async function checkWriting({ path, before, after, temporary }: FileWriting): Promise<WritingOutcome> {
  await removeTemporary(path, temporary)
  try {
    await using handle = await openChecked(path)
    const facts = await handle.stat({ bigint: true })
    const hash = createHash("sha256")
    for await (const chunk of handle.createReadStream({ autoClose: false })) hash.update(chunk)
    const now = hash.digest("hex")
    if (now === after) return { kind: "done", version: versionOf(facts) }
    return { kind: now === before ? "not_done" : "changed" }
  } catch (error) {
    const code = errorCode(error) || (error instanceof Error ? errorCode(error.cause) : "")
    if (code === "ENOENT") return missing(before, after)
    return notAFile.has(code) ? { kind: "changed" } : { kind: "unreadable", error }
  }
}

function missing(before: string | null, after: string | null): WritingOutcome {
  if (after === null) return { kind: "done" }
  return { kind: before === null ? "not_done" : "gone" }
}

/** With these error codes, something other than a regular file is there (a directory, link or pipe), or nothing. */
const notAFile: ReadonlySet<string> = new Set(["", "ELOOP", "ENOTDIR", "ENXIO"])
