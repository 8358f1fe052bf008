import { lstatSync } from "node:fs"

/** Whether anything is there, also a link that leads nowhere, and what nobody may look at. */
export function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOTDIR")
  }
}
