/** The names of Docket's configuration in a directory of a project: files, and directories with all their content. */
export const configNames: readonly string[] =
  "docket.json docket.jsonc opencode.json opencode.jsonc .docket .opencode .claude".split(" ")

/** Ignores case, as some file systems do. */
const configFile = /(?:^|[/\\])(?:(?:docket|opencode)\.jsonc?|\.(?:docket|opencode|claude)(?:[/\\].*)?)$/is

/**
 * Whether a path, or a pattern of paths, names configuration of Docket. With an edit of it an agent could give itself
 * rights, so each edit asks, unless a rule names such a file; `edit: allow` alone is not enough.
 */
export function namesConfig(pathOrPattern: string): boolean {
  return configFile.test(pathOrPattern)
}
