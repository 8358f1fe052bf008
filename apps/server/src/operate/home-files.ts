import { readdirSync, statSync } from "node:fs"
import path from "node:path"

/** Directories that npm, pnpm, Prisma and Next create in the home, which may be the data directory (docs/team.md). */
const places = new Set([".npm", ".cache", ".local", ".config/prisma-nodejs", ".config/nextjs-nodejs"])

/** Whether other programs create this directory and can fill it again: it is neither backed up nor treated as data. */
export function isOfOtherPrograms(place: string): boolean {
  return places.has(place)
}

/** Whether an entry of the data directory contains only such directories. */
export function holdsNoData(data: string, name: string): boolean {
  if (isOfOtherPrograms(name)) return true
  const directory = path.join(data, name)
  if (![...places].some((place) => path.dirname(place) === name) || !statSync(directory).isDirectory()) return false
  return readdirSync(directory).every((each) => isOfOtherPrograms(`${name}/${each}`))
}
