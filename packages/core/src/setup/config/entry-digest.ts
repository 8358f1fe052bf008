import { createHash } from "node:crypto"
import { relative } from "node:path"
import type { ConfigLeaf } from "./config-leaves.ts"
import { type FileReferences, referencedFile } from "./project-references.ts"
import type { ConfigSource } from "./read-config-sources.ts"
import { referencesIn } from "./substitute.ts"

/**
 * Stands for one thing that a project's configuration sets: its file and keys, its whole value, and the files that the
 * value names (SHA-256, hex). Another digest means that the user has not seen it like this.
 */
export function entryDigest(
  { path, value }: ConfigLeaf,
  { file, directory }: Pick<ConfigSource, "file" | "directory">,
  { home, worktree, references }: { home: string; worktree: string; references: FileReferences },
): string {
  const named = referencesIn(value, "file").map((name) => references.get(referencedFile(name, { directory, home })))
  return createHash("sha256")
    .update(JSON.stringify([relative(worktree, file), path, value, named]))
    .digest("hex")
}
