import type { BigIntStats } from "node:fs"
import { lstat } from "node:fs/promises"

/** The facts about a file that are known without reading it. */
export type FileFacts = Pick<BigIntStats, "ino" | "mode" | "size" | "mtimeNs" | "mtimeMs">

/** A text that changes when the file changes, appears or disappears: from its inode, mode, size and time (ns). */
export async function fileStamp(file: string): Promise<string> {
  const facts = await lstat(file, { bigint: true }).catch(() => null)
  return facts === null ? "none" : stampOf(facts)
}

export function stampOf({ ino, mode, size, mtimeNs }: FileFacts): string {
  return `${ino}-${mode}-${size}-${mtimeNs}`
}

/** Longest time (ms) in which two writes may leave the same stamp: two ticks of the kernel's clock. */
const tick = 20

/**
 * The stamp of a file that was just looked at. Null when a later write could leave the same: shortly after another
 * write, and where times count in milliseconds or more.
 */
export function settledStamp(facts: FileFacts): string | null {
  const hasFineTime = facts.mtimeNs % 1_000_000n !== 0n
  return hasFineTime && Date.now() - Number(facts.mtimeMs) > tick ? stampOf(facts) : null
}

/** Whether the file still is what had this stamp. */
export async function hasStamp(file: string, stamp: string | null): Promise<boolean> {
  return stamp !== null && (await fileStamp(file)) === stamp
}
