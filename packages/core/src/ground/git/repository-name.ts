import type { Project, Repository } from "../schema/index.ts"

/**
 * What a project with a repository has in place of a directory until a host has its files. It is no path, and there is one
 * project of it.
 */
export function repositoryName({ url, ref, subdirectory }: Repository): string {
  return `${url}#${ref}${subdirectory === null ? "" : `:${subdirectory}`}`
}

/** The directory of a new session; one of a repository gets files of its own when it begins to work. */
export function firstDirectory({ directory, repository }: Pick<Project, "directory" | "repository">): string {
  return repository === undefined ? directory : repositoryName(repository)
}
