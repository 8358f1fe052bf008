/** What configures Docket in a directory of a project: files, and directories with all that is in them. */
export const configNames: readonly string[] =
  "docket.json docket.jsonc opencode.json opencode.jsonc .docket .opencode .claude".split(" ")

/** File systems that ignore case find them in any. */
const configFile = /(?:^|[/\\])(?:(?:docket|opencode)\.jsonc?|\.(?:docket|opencode|claude)(?:[/\\].*)?)$/is

/**
 * Whether a path, or a pattern of paths, names configuration of Docket. An edit of it could give an agent rights that
 * nobody gave it, so it is asked for unless a rule names such files too: `edit: allow` does not speak of them.
 */
export function namesConfig(pathOrPattern: string): boolean {
  return configFile.test(pathOrPattern)
}
