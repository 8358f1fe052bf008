import type { SnapshotRepository } from "./snapshot-repository.ts"

/** Contents of objects by their name; those that are gone are missing in the answer. */
export async function readBlobs(repository: SnapshotRepository, hashes: string[]): Promise<Map<string, Buffer>> {
  const blobs = new Map<string, Buffer>()
  if (hashes.length === 0) return blobs
  const output = await repository.git(["cat-file", "--batch"], { input: `${hashes.join("\n")}\n` })
  let at = 0
  while (at < output.length) {
    const end = output.indexOf(10, at)
    const [hash = "", type = "", size = "0"] = output.toString("utf8", at, end).split(" ")
    at = end + 1
    if (type !== "blob") continue
    blobs.set(hash, output.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return blobs
}
