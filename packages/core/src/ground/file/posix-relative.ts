import { relative, sep } from "node:path"

/** The path from a directory to a file, with `/` between its names on every system; empty for the directory itself. */
export function posixRelative(directory: string, file: string): string {
  return relative(directory, file).split(sep).join("/")
}
