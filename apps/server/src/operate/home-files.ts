import { readdirSync, statSync } from "node:fs"
import path from "node:path"

/** What npm, pnpm, Prisma and Next make in the home of a service whose home is its data directory (docs/team.md). */
const places = new Set([".npm", ".cache", ".local", ".config/prisma-nodejs", ".config/nextjs-nodejs"])

/** Whether it is a place that other programs made and fill again: neither kept nor taken for data. */
export function isOfOtherPrograms(place: string): boolean {
  return places.has(place)
}

/** Whether an entry of the data directory holds nothing but such places. */
export function holdsNoData(data: string, name: string): boolean {
  if (isOfOtherPrograms(name)) return true
  const directory = path.join(data, name)
  if (![...places].some((place) => path.dirname(place) === name) || !statSync(directory).isDirectory()) return false
  return readdirSync(directory).every((each) => isOfOtherPrograms(`${name}/${each}`))
}
