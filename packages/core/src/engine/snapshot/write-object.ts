import { createHash, randomBytes } from "node:crypto"
import { mkdir, rename, rm, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { constants, deflate } from "node:zlib"
import type { SnapshotRepository } from "./snapshot-repository.ts"

const compress = promisify(deflate)

/** A file's content or a tree, as git keeps it and names it. Source: gitformat-loose(5). */
export interface GitObject {
  /** Hex. */
  name: string
  bytes: Buffer
}

export function gitObject(
  { objectFormat }: Pick<SnapshotRepository, "objectFormat">,
  type: "blob" | "tree",
  content: Buffer,
): GitObject {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  return { name: createHash(objectFormat).update(bytes).digest("hex"), bytes }
}

/** Keeps an object among the snapshots, without starting git. One that is there counts as new. */
export async function writeObject({ directory }: SnapshotRepository, { name, bytes }: GitObject): Promise<void> {
  const objects = join(directory, "objects")
  const file = join(objects, name.slice(0, 2), name.slice(2))
  if (await isRenewed(file)) return
  const content = await compress(bytes, { level: constants.Z_BEST_SPEED })
  // Whoever reads sees all of it or nothing. git removes what a crash leaves by this name.
  const temporary = join(objects, `tmp_obj_${randomBytes(6).toString("hex")}`)
  try {
    await writeFile(temporary, content, { mode: 0o444, flag: "wx" })
    await rename(temporary, file).catch(async () => {
      // Most often its directory is there.
      await mkdir(dirname(file), { recursive: true })
      await rename(temporary, file)
    })
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function isRenewed(file: string): Promise<boolean> {
  const now = new Date()
  return utimes(file, now, now).then(
    () => true,
    () => false,
  )
}
