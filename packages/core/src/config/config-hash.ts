import { createHash } from "node:crypto"
import { relative } from "node:path"
import type { FileReferences } from "./project-references.ts"
import type { ConfigSource } from "./read-config-sources.ts"

/**
 * Stands for everything in a project that configures: where it lies, its configuration files, the files in it that
 * they name, and which files outside it they name (SHA-256, hex).
 */
export function configHash(worktree: string, sources: readonly ConfigSource[], references: FileReferences): string {
  const files = sources.map(({ file, text }) => [relative(worktree, file), text])
  const named = [...references].map(([file, found]) => [relative(worktree, file), found])
  return createHash("sha256")
    .update(JSON.stringify([worktree, files, named]))
    .digest("hex")
}
