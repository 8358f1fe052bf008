import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { root } from "./root.mjs"

const skipped = new Set(["node_modules", ".next", "generated", ".turbo", "dist"])
/** Written beside the sources by a check of types, which changes nothing. */
const isLeft = /\.tsbuildinfo$/

/**
 * SHA-256 over the names and contents of files, so that a step runs again only when its inputs have changed.
 * @param {string[]} inputs files and directories, relative to the repository; missing ones count as empty
 * @param {(file: string) => boolean} accept
 */
export async function fingerprint(inputs, accept = () => true) {
  const files = (await Promise.all(inputs.map((input) => listFiles(input))))
    .flat()
    .filter((file) => !isLeft.test(file) && accept(file))
    .sort()
  const contents = await Promise.all(files.map((file) => readFile(path.join(root, file))))
  const hash = createHash("sha256")
  for (const [index, file] of files.entries()) hash.update(file).update("\0").update(contents[index]).update("\0")
  return hash.digest("hex")
}

async function listFiles(input) {
  const entries = await readdir(path.join(root, input), { withFileTypes: true }).catch((error) => {
    if (error.code === "ENOENT") return []
    if (error.code === "ENOTDIR") return null
    throw error
  })
  if (entries === null) return [input]
  const nested = entries
    .filter((entry) => !skipped.has(entry.name))
    .map((entry) => (entry.isDirectory() ? listFiles(`${input}/${entry.name}`) : [`${input}/${entry.name}`]))
  return (await Promise.all(nested)).flat()
}

/** The fingerprint that the last finished step has stored, or null. `stamp` is relative to the repository. */
export async function readStamp(stamp) {
  return await readFile(path.join(root, stamp), "utf8").catch(() => null)
}

export async function writeStamp(stamp, value) {
  const file = path.join(root, stamp)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, value)
}
