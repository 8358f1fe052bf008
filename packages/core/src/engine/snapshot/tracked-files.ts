import type { SnapshotRepository } from "./snapshot-repository.ts"

/** What the project's own git tracks: of these paths, or everything. */
export async function trackedFiles(repository: SnapshotRepository, paths: string[] = [":/"]): Promise<Set<string>> {
  const literal = paths[0] === ":/" ? [] : ["--literal-pathspecs"]
  return new Set(names(await repository.project([...literal, "ls-files", "-z", "--full-name", "--", ...paths])))
}

/** Paths end with `/` where a repository lies in the repository: it keeps its own history. */
export function names(output: Buffer): string[] {
  return output
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "" && !path.endsWith("/"))
}
