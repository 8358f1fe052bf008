import { lstatSync } from "node:fs"

/** A name that nothing in a directory has: this one, or with a number behind it. */
export function freeName(directory: string, name: string): string {
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name}-${count}`
    if (lstatSync(`${directory}/${free}`, { throwIfNoEntry: false }) === undefined) return free
  }
}
