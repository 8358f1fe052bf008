import { createHash } from "node:crypto"
import { errorCode } from "../../ground/error/error-code.ts"
import type { FileWriting } from "../../ground/schema/tool-metadata.ts"
import { openChecked, removeTemporary } from "./checked-file.ts"
import { versionOf } from "./text-file.ts"

/** What became of a write that was cut. */
export type WritingOutcome =
  | { kind: "done"; version: string }
  | { kind: "not_done" }
  /** The file is neither as it was nor as it was to be. */
  | { kind: "changed" }
  /** There was a file, and there is none. */
  | { kind: "gone" }
  /** It cannot be looked at. */
  | { kind: "unreadable"; error: unknown }

/** SHA-256 in hex. */
export function contentSum(content: Buffer): string {
  return createHash("sha256").update(content).digest("hex")
}

/** Compares a file with what was about to be done to it, and removes what the write left beside it. */
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
    if (code === "ENOENT") return { kind: before === null ? "not_done" : "gone" }
    return notAFile.has(code) ? { kind: "changed" } : { kind: "unreadable", error }
  }
}

/** With these, or none at all, something else is found there: a directory, a link, a pipe. */
const notAFile: ReadonlySet<string> = new Set(["", "ELOOP", "ENOTDIR", "ENXIO"])
