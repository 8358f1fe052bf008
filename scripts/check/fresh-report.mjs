import { mkdir, rm } from "node:fs/promises"
import path from "node:path"

/**
 * Removes the report of an earlier run, so that it is not mistaken for a new one.
 * @param {string} file
 */
export async function freshReport(file) {
  await mkdir(path.dirname(file), { recursive: true })
  await rm(file, { force: true })
}
