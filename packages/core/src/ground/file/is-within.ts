import path from "node:path"

/** True when `target` is `directory` or lies below it. Both must be absolute and resolved. */
export function isWithin(directory: string, target: string): boolean {
  const relative = path.relative(directory, target)
  // Between two drives of Windows there is no relative path: it stays absolute.
  const isOutside = relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)
  return !isOutside
}
