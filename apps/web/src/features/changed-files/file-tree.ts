import type { ChangedFile } from "./changed-files.ts"

/** One line of the tree: a file, or a directory. Directories that only hold one directory share one line. */
export type FileNode =
  | { kind: "directory"; path: string; name: string; depth: number }
  | { kind: "file"; file: ChangedFile; name: string; depth: number }

interface Directory {
  directories: Map<string, Directory>
  files: ChangedFile[]
}

/** Files as lines of a tree, directories first. */
export function fileTree(files: readonly ChangedFile[]): FileNode[] {
  const root: Directory = { directories: new Map(), files: [] }
  for (const file of files) {
    let place = root
    for (const name of file.path.split("/").slice(0, -1)) {
      const next: Directory = place.directories.get(name) ?? { directories: new Map(), files: [] }
      place.directories.set(name, next)
      place = next
    }
    place.files.push(file)
  }
  return linesOf(root, "", 0)
}

function linesOf(directory: Directory, path: string, depth: number): FileNode[] {
  const below = [...directory.directories].sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    ...below.flatMap(([first, child]): FileNode[] => {
      const [name, last] = joined(first, child)
      const own = `${path}${name}/`
      return [{ kind: "directory", path: own, name, depth }, ...linesOf(last, own, depth + 1)]
    }),
    ...directory.files.map((file): FileNode => ({ kind: "file", file, name: baseName(file.path), depth })),
  ]
}

/** Joins a directory with its only content, if that is another directory. */
function joined(name: string, directory: Directory): [string, Directory] {
  const [only, ...others] = directory.directories
  if (only === undefined || others.length > 0 || directory.files.length > 0) return [name, directory]
  return joined(`${name}/${only[0]}`, only[1])
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

/** The directory of a path, without a trailing slash. */
export function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")))
}
