import type { SnapshotRepository } from "./snapshot-repository.ts"
import type { FileState } from "./tree-changes.ts"
import { type GitObject, gitObject, writeObject } from "./write-object.ts"

interface Entry {
  mode: string
  name: string
  hash: string
}

const directoryMode = "40000"

/** Writes a tree of these files alone, by path; those whose state is null are not in it. @returns its name */
export async function writeTree(
  repository: SnapshotRepository,
  files: ReadonlyMap<string, FileState | null>,
): Promise<string> {
  const { top, all } = treeObjects(repository, files)
  await Promise.all(all.map((tree) => writeObject(repository, tree)))
  return top.name
}

function treeObjects(
  repository: SnapshotRepository,
  files: ReadonlyMap<string, FileState | null>,
): { top: GitObject; all: GitObject[] } {
  const entries: Entry[] = []
  const below = new Map<string, Map<string, FileState>>()
  for (const [path, state] of files) {
    if (state === null) continue
    const slash = path.indexOf("/")
    if (slash < 0) {
      entries.push({ mode: state.mode, name: path, hash: state.hash })
      continue
    }
    const inner = below.get(path.slice(0, slash)) ?? new Map<string, FileState>()
    below.set(path.slice(0, slash), inner.set(path.slice(slash + 1), state))
  }
  const all: GitObject[] = []
  for (const [name, inner] of below) {
    const trees = treeObjects(repository, inner)
    all.push(...trees.all)
    entries.push({ mode: directoryMode, name, hash: trees.top.name })
  }
  const top = gitObject(repository, "tree", encode(entries))
  return { top, all: [...all, top] }
}

/** Entries by their names as bytes; that of a directory counts as ending with `/`, as git sorts them. */
function encode(entries: Entry[]): Buffer {
  const sortKey = ({ mode, name }: Entry) => Buffer.from(mode === directoryMode ? `${name}/` : name)
  const sorted = entries.toSorted((a, b) => Buffer.compare(sortKey(a), sortKey(b)))
  return Buffer.concat(
    sorted.flatMap(({ mode, name, hash }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, "hex")]),
  )
}
