import { createWriteStream } from "node:fs"
import { readdir } from "node:fs/promises"
import path from "node:path"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { create } from "tar"

/** npm reads a time of 1985 in packages as "none": the same files give the same bytes, whenever they were written. */
const noTime = new Date("1985-10-26T08:15:00Z")

/**
 * Writes the files of a directory as a package that npm installs. `npm pack` would leave out the web app's
 * `node_modules`.
 */
export async function writeTarball(directory: string, file: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .sort()
  const tar = create({ cwd: directory, prefix: "package", portable: true, mtime: noTime, noDirRecurse: true }, names)
  await pipeline(tar, createGzip({ level: 9 }), createWriteStream(file))
}
