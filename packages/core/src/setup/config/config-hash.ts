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
  return sha256([worktree, files, named])
}

/** Stands for all that a project brings: its configuration, and the digests of its other files (SHA-256, hex). */
export function trustHash(ofConfig: string, ofFiles: readonly string[]): string {
  return ofFiles.length === 0 ? ofConfig : sha256([ofConfig, ofFiles])
}

function sha256(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex")
}

/** Stands for the text of one file (SHA-256, hex). */
export function textDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
